/** Changes one of Lit's modules, and throws when Lit no longer has what the edit is about. */
export type Edit = (code: string) => string;

/** Takes members out of a class. */
export function drop(className: string, ...members: readonly string[]): Edit {
  return (code) => members.reduce((rest, member) => put(rest, className, member, ''), code);
}

/** Puts another member in the place of one of a class. */
export function rewrite(className: string, member: string, source: string): Edit {
  return (code) => put(code, className, member, source);
}

/** Puts one text in the place of another, which must occur as often as said. */
export function replace(text: string, by: string, times = 1): Edit {
  return (code) => {
    const parts = code.split(text);
    expectTimes(text, parts.length - 1, times);
    return parts.join(by);
  };
}

/** Writes a name where Lit calls a function that keeps it from Lit's own minifier. */
export const plainNames: Edit = (code) =>
  code.replaceAll(/JSCompiler_renameProperty\(('\w+'), \w+\)/g, '$1');

/** Takes out what stands from one text until before another; both must occur once. */
export function cut(from: string, until: string): Edit {
  return (code) => {
    const [before = '', rest = '', ...more] = code.split(from);
    const [, after = '', ...others] = rest.split(until);
    expectTimes(from, code === before ? 0 : 1 + more.length, 1);
    expectTimes(until, rest === '' || !rest.includes(until) ? 0 : 1 + others.length, 1);
    return before + until + after;
  };
}

/** Lit's readable build has one member after another, each indented by four spaces. */
function put(code: string, className: string, member: string, source: string): string {
  const classBody = new RegExp(String.raw`^(export )?class ${className}\b[^]*?\n}\n`, 'gm');
  const name = member.replaceAll('$', String.raw`\$`);
  const memberBody = new RegExp(
    String.raw`^    ((static|async|get) )*${name}\([^]*?\) \{( }|\n[^]*?\n    })\n`,
    'gm',
  );
  const found = code.match(classBody) ?? [];
  expectTimes(`class ${className}`, found.length, 1);
  const [body = ''] = found;
  expectTimes(`${className}.${member}`, body.match(memberBody)?.length ?? 0, 1);
  return code.replace(body, () => body.replace(memberBody, () => source && `${source}\n`));
}

function expectTimes(text: string, found: number, expected: number): void {
  if (found === expected) return;
  throw new Error(
    `Lit has changed: found ${found} times, not ${expected}: ${text}\n` +
      `Compare packages/widget/build/lit with the new version of Lit.`,
  );
}
