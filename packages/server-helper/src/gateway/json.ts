/** A string, whole with its escapes, or a mark that structures JSON; all else says nothing here. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/**
 * Whether one object of a JSON text names a field twice. Two readers would take two meanings from
 * it: `JSON.parse` the last, others the first.
 *
 * @param text - Valid JSON; `JSON.parse` must have taken it already.
 */
export function hasDuplicateKeys(text: string): boolean {
  /** The keys of each object that is open at this place; `null` for a list. */
  const open: (Set<string> | null)[] = [];
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const keys = open.at(-1);
      const key = previous.includes('\\') ? String(JSON.parse(previous)) : previous.slice(1, -1);
      if (keys?.has(key) === true) return true;
      keys?.add(key);
    }
    previous = token;
  }
  return false;
}

/**
 * Reads JSON; `undefined` when it is none, or when it means two things. The body alone decides, not
 * its declared type: some gateways and middle boxes declare JSON as text, and what is no JSON is
 * refused here anyway. The parser's error would quote the body, so it is dropped.
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasDuplicateKeys(text) ? undefined : value;
  } catch {
    return undefined;
  }
}
