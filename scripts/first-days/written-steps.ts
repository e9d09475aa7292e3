import { readDocument } from '../check/markdown.ts';

/** What a document asks its reader to do: to write a file, or to type a command. */
export type WrittenStep =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly line: string };

/**
 * The steps of a part of a document, as they are written: each line of a shell block is a command,
 * and each block after a paragraph that names a file is what the file holds.
 */
export function writtenSteps(text: string): readonly WrittenStep[] {
  const lines = text.split('\n');
  return readDocument(text).blocks.flatMap(({ info, line, code }): WrittenStep[] => {
    const [language = ''] = info.split(' ');
    const settings = /^(?:#.*\n|\w+=\S*\n)+$/.test(code);
    if (language === 'sh' && !settings) {
      const commands = code.split('\n').filter((one) => one !== '');
      return commands.map((command) => ({ kind: 'command', line: command }));
    }
    if (!['sh', 'ts', 'js', 'html', 'json'].includes(language)) return [];
    const before =
      lines
        .slice(0, line - 2)
        .join('\n')
        .trimEnd()
        .split('\n\n')
        .at(-1) ?? '';
    const name = [...before.matchAll(/`([\w./-]*\.(?:env|html|json|ts|m?js))`/g)].at(-1)?.[1];
    return name === undefined ? [] : [{ kind: 'file', name, text: code }];
  });
}
