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
  if (id !== undefined && otherId !== undefined) return id === otherId;
  return plain(name) === plain(otherName);
}

/** Letters that look like the one below them: Arabic of Persian and Urdu; Cyrillic and Greek of Latin. */
const alike = 'ىیېےکڪہھەةАВЕКМНОРСТУХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const letters = 'ييييككههههABEKMHOPCTYXISJABEZHIKMNOPTYX';

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]|[\u0640\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase()
    .replaceAll(/./gu, (letter) => letters[alike.indexOf(letter)] ?? letter)
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16));
