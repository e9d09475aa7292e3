/** A text of the known ones that a misspelt word may mean; `undefined` where none is like it. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [closest] = known
    .map((text) => ({ text, distance: distanceOf(word, text) }))
    .toSorted((a, b) => a.distance - b.distance);
  const most = Math.max(2, Math.floor(word.length / 3));
  return closest !== undefined && closest.distance <= most ? closest.text : undefined;
}

/** How many letters must be added, taken or replaced to make one text of the other. */
function distanceOf(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of one.split('').entries()) {
    const line = [row + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
