import { drawDiagram } from './draw-diagram.ts';
import { readDiagram } from './read-diagram.ts';

type Rule = (
  tokens: { info: string; content: string }[],
  index: number,
  ...more: never[]
) => string;

/** As much of markdown-it as a rule about fenced blocks needs; the generator brings the real one. */
interface Markdown {
  readonly renderer: { readonly rules: { fence?: Rule | undefined } };
}

/** Makes the site's parser draw what GitHub draws by itself: blocks of `mermaid`. */
export function drawDiagrams({ renderer: { rules } }: Markdown): void {
  const { fence } = rules;
  rules.fence = (tokens, index, ...more) => {
    const token = tokens[index];
    if (token?.info.trim() === 'mermaid') return drawDiagram(readDiagram(token.content));
    return fence?.(tokens, index, ...more) ?? '';
  };
}
