import { box, groupPlaces, paper, places, ways } from './places.ts';
import type { Diagram, Step } from './read-diagram.ts';

/**
 * Draws a state diagram as SVG, in the colours of the page around it.
 *
 * @throws when a state or a step has no place on the paper, or one on the paper is not in the diagram.
 */
export function drawDiagram({ steps, groups }: Diagram): string {
  const names = new Set(steps.map(({ from, to }) => `${from} --> ${to}`));
  const gone = Object.keys(ways).filter((name) => !names.has(name));
  if (gone.length > 0) throw new Error(`places.ts draws what no document says: ${gone.join(', ')}`);
  const states = new Set(steps.flatMap(({ from, to }) => [from, to]));
  for (const name of ['[*]', ...groups.keys()]) states.delete(name);
  const told = steps.map(({ from, to, because }) => `${from} to ${to}${because && `: ${because}`}`);
  const { width, height } = paper;
  return [
    `<figure class="state-diagram" tabindex="0" role="group" aria-label="States of a payment">`,
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(told.join('. '))}">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>',
    ...[...groups].map(([name, { title }]) => drawGroup(name, title)),
    ...steps.map(drawStep),
    ...[...states].map(drawState),
    '</svg></figure>',
  ].join('');
}

function drawGroup(name: string, title: string): string {
  const { x, y, width, height } = placeOf(groupPlaces, name);
  return `<rect class="group" x="${x}" y="${y}" width="${width}" height="${height}" rx="14"/><text class="title" x="${x + 16}" y="${y + height - 14}">${escape(title)}</text>`;
}

function drawStep({ from, to, because }: Step): string {
  const { path, words } = placeOf(ways, `${from} --> ${to}`);
  const line = `<path class="way" d="${path}" marker-end="url(#tip)"/>`;
  if (because === '') return line;
  if (words === undefined) throw new Error(`places.ts has no room for “${because}”.`);
  return `${line}<text class="because" x="${words[0]}" y="${words[1]}">${escape(because)}</text>`;
}

function drawState(name: string): string {
  const [x, y] = placeOf(places, name);
  const { width, height } = box;
  return `<rect class="state" x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="10"/><text class="name" x="${x}" y="${y + 5}">${name}</text>`;
}

function placeOf<Place>(known: Readonly<Record<string, Place>>, name: string): Place {
  const place = known[name];
  if (place === undefined) throw new Error(`${name} has no place in places.ts.`);
  return place;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
