/** A person whom the shop's own directory knows by an id. */
export interface KnownPerson {
  readonly id: string;
  readonly name: string;
}

/** What an id of a person may be, so that {@link personText} reads one way only. */
export const PERSON_ID = /^[\p{L}\p{N}._:@+-]{1,100}$/u;

/** A known person as one text, to store and to show. */
export const personText = ({ id, name }: KnownPerson): string => `${name} (${id})`;

const WITH_ID = /^(.*) \(([\p{L}\p{N}._:@+-]{1,100})\)$/su;

/**
 * Whether two texts name one person. Ids decide where both have one. Names are compared by letters and
 * digits alone, in one form: a space, a mark, a symbol or a letter that looks alike must not make two
 * people of one, who would approve what the same person proposed. Two people whose names differ by
 * these alone count as one, which only asks for a third.
 */
export function isSamePerson(one: string, other: string): boolean {
  const [, name = one, id] = WITH_ID.exec(one) ?? [];
  const [, otherName = other, otherId] = WITH_ID.exec(other) ?? [];
  // In the same form: what looks like an id may be the end of a name.
  if (id !== undefined && otherId !== undefined) return plain(id) === plain(otherId);
  return plain(name) === plain(otherName);
}

/** Letters that look like the one below them: Arabic of Persian and Urdu; Cyrillic and Greek of Latin. */
const alike = 'ىیېےؠکڪہھەةۃٱںӀАВЕКМНОРСТУХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const letters = 'يييييككهههههانIABEKMHOPCTYXISJABEZHIKMNOPTYX';

/** In small letters first: ẞ has no capitals. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]|[\p{Lm}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .toUpperCase()
    .replaceAll(/./gu, (letter) => letters[alike.indexOf(letter)] ?? letter)
    .replaceAll(/\p{Nd}/gu, valueOf);

const DIGIT = /^\p{Nd}$/u;

/** A digit of any script as ours: each script has its ten in a row. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
