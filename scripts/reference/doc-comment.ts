/** A doc comment taken apart. */
export interface DocComment {
  /** What stands before the first tag: one line a paragraph. */
  readonly text: string;
  /** What stands behind each tag, by the tag's name. */
  readonly tags: ReadonlyMap<string, string>;
}

/** House style lets a tag follow on the same line. */
const knownTag = /(?:^|(?<=\s))@(?=(?:defaultValue|example|see|throws)\b)/m;

/** Reads a doc comment whose stars are gone already. An example keeps its lines. */
export function readDocComment(comment: string): DocComment {
  const [text = '', ...rest] = comment.split(knownTag);
  const tags = new Map<string, string>();
  for (const part of rest) {
    const { name = '', content = '' } =
      /^(?<name>\w+)\s*(?<content>[\s\S]*)$/.exec(part)?.groups ?? {};
    tags.set(name, name === 'example' ? content.trim() : inLines(content));
  }
  return { text: inLines(text), tags };
}

function inLines(text: string): string {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs.map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, ' ').trim()).join('\n\n');
}
