/** A way from one state, or from any state of a group, to another. */
export interface Step {
  readonly from: string;
  readonly to: string;
  /** Why it is taken; empty where the states say it. */
  readonly because: string;
}

/** A state diagram as a document writes it. */
export interface Diagram {
  readonly steps: readonly Step[];
  /** The states that stand in a group, by the group's name. */
  readonly groups: ReadonlyMap<string, { readonly title: string; readonly states: Set<string> }>;
}

/**
 * Reads as much of Mermaid's `stateDiagram-v2` as our documents use: steps, and groups of states.
 *
 * @throws on a line that is neither, since it would be left out of the picture.
 */
export function readDiagram(source: string): Diagram {
  const steps: Step[] = [];
  const groups = new Map<string, { title: string; states: Set<string> }>();
  let inside: Set<string> | undefined;
  for (const line of source.trim().split('\n').slice(1)) {
    const group = /^\s*state "([^"]+)" as (\w+) \{$/.exec(line);
    const step = /^\s*(\[\*\]|\w+) --> (\w+)(?:: (.+))?$/.exec(line);
    if (group !== null) {
      const [, title = '', name = ''] = group;
      inside = new Set();
      groups.set(name, { title, states: inside });
    } else if (step !== null) {
      const [, from = '', to = '', because = ''] = step;
      steps.push({ from, to, because });
      for (const state of [from, to]) if (state !== '[*]') inside?.add(state);
    } else if (line.trim() === '}') {
      inside = undefined;
    } else {
      throw new Error(`The state diagram has a line that cannot be drawn: ${line}`);
    }
  }
  return { steps, groups };
}

/** Whether the diagram shows a step from one state to another. */
export function shows({ steps, groups }: Diagram, from: string, to: string): boolean {
  const isAt = (place: string, state: string): boolean =>
    place === state || groups.get(place)?.states.has(state) === true;
  return steps.some((step) => isAt(step.from, from) && isAt(step.to, to));
}
