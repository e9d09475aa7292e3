import {
  Node,
  type JSDocableNode,
  type PropertyDeclaration,
  type PropertySignature,
  type Symbol as TypeSymbol,
  type Type,
} from 'ts-morph';
import type { Field } from './client-model.ts';
import { readDocComment, type DocComment } from './doc-comment.ts';

/** The comment of a declaration; an empty one when it has none. */
export function commentOf(node: JSDocableNode): DocComment {
  return readDocComment(node.getJsDocs().at(-1)?.getInnerText() ?? '');
}

/**
 * The fields of a type, those of the objects in it included. `isLeaf` names the types that are told
 * of elsewhere.
 *
 * @throws when a field has no comment: a reader would have to guess.
 */
export function fieldsOf(
  type: Type,
  isLeaf: (name: string) => boolean,
  prefix = '',
): readonly Field[] {
  return type.getProperties().flatMap((property) => {
    const field = readField(property, prefix);
    const declared = declarationOf(property);
    const own = declared.getType().getNonNullableType();
    const element = own.getArrayElementType();
    const inner = element ?? own.getUnionTypes().find(isOfParts) ?? own;
    if (!isOfParts(inner) || isLeaf(nameOf(inner))) return [field];
    const parts = fieldsOf(inner, isLeaf, `${field.name}${element === undefined ? '' : '[]'}.`);
    // What holds parts is a row of its own only where its comment says more than they do.
    return field.text === '' ? parts : [field, ...parts];
  });
}

/** Fields without a comment, of which there should be none. */
export function withoutComment(fields: readonly Field[]): readonly string[] {
  return fields.filter(({ text }) => text === '').map(({ name }) => name);
}

function readField(property: TypeSymbol, prefix: string): Field {
  const declared = declarationOf(property);
  const { text, tags } = commentOf(declared);
  return {
    name: `${prefix}${property.getName()}`,
    type: typeTextOf(declared),
    isOptional: declared.hasQuestionToken(),
    defaultValue: tags.get('defaultValue'),
    text,
  };
}

function declarationOf(property: TypeSymbol): PropertySignature | PropertyDeclaration {
  const [declared] = property.getDeclarations();
  if (Node.isPropertySignature(declared) || Node.isPropertyDeclaration(declared)) return declared;
  throw new Error(`${property.getName()} is no plain field.`);
}

/** Whether it is an object of ours that is told field by field. */
function isOfParts(type: Type): boolean {
  const [declared] = type.getSymbol()?.getDeclarations() ?? [];
  const isShape = Node.isInterfaceDeclaration(declared) || Node.isTypeLiteral(declared);
  return type.isObject() && isShape && declared.getSourceFile().getFilePath().includes('/src/');
}

const nameOf = (type: Type): string => type.getSymbol()?.getName() ?? '';

/** A few words to choose from say more than the name of their choice. */
const MAX_WORDS = 4;

/** A field's type as a caller should read it: as the source spells it, without what says nothing. */
export function typeTextOf(declared: PropertySignature | PropertyDeclaration): string {
  const node = declared.getTypeNode();
  if (Node.isTypeLiteral(node)) return 'object'; // Its fields have rows of their own.
  const words = node === undefined ? undefined : choiceOfWords(node);
  return (words ?? node?.getText() ?? declared.getType().getText(declared))
    .replaceAll(/\s+/g, ' ')
    .replace(/ \| undefined$/, '')
    .replaceAll(/\breadonly /g, '')
    .replace(/^\{ \[\w+ in (\w+)\]\?: (\w+) \| undefined \}$/, 'Partial<Record<$1, $2>>');
}

/** The words that a name stands for, where it stands for a few and nothing else. */
function choiceOfWords(node: Node): string | undefined {
  if (!Node.isTypeReference(node)) return undefined;
  const symbol = node.getTypeName().getSymbol();
  const [declared] = (symbol?.getAliasedSymbol() ?? symbol)?.getDeclarations() ?? [];
  const named = Node.isTypeAliasDeclaration(declared) ? declared.getTypeNode() : undefined;
  if (!Node.isUnionTypeNode(named)) return undefined;
  const words = named.getTypeNodes();
  return words.length <= MAX_WORDS && words.every((word) => Node.isLiteralTypeNode(word))
    ? named.getText()
    : undefined;
}
