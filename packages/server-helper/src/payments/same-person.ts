/**
 * Whether two names are of one person: apart from capitals, spaces, invisible characters and the
 * form of a letter. Two people whose names differ by these alone count as one, which only asks for
 * a third; one person as two would approve what the same person proposed.
 */
export const isSamePerson = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (name: string): string =>
  name
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFKC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toUpperCase();
