const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Whether one object of a JSON text names a field twice. Two readers would take two meanings from
 * it: `JSON.parse` the last, others the first. Where that is so, the value that was read has fewer
 * fields than the text wrote down, however they were spelled.
 *
 * @param value - What `JSON.parse` made of the text.
 */
export function hasDuplicateKeys(text: string, value: unknown): boolean {
  return fieldsWritten(text) !== fieldsOf(value);
}

/** Each field has one colon outside of strings, and nothing else in JSON has. */
function fieldsWritten(text: string): number {
  let fields = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString && code === BACKSLASH) at += 1;
    else if (!isInString && code === COLON) fields += 1;
  }
  return fields;
}

function fieldsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let fields = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) fields += fieldsOf(part);
  return fields;
}

/**
 * Reads JSON; `undefined` when it is none, or when it means two things. The body alone decides, not
 * its declared type: some gateways and middle boxes declare JSON as text, and what is no JSON is
 * refused here anyway. The parser's error would quote the body, so it is dropped; a text that is nested
 * deeper than the stack is refused too.
 */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return hasDuplicateKeys(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}
