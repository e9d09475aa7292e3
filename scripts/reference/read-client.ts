import { join } from 'node:path';
import {
  Node,
  Project,
  type InterfaceDeclaration,
  type MethodSignature,
  type Type,
} from 'ts-morph';
import { root } from '../process/root.ts';
import type { ClientModel, Field, Method } from './client-model.ts';
import { commentOf, fieldsOf, typeTextOf, withoutComment } from './read-fields.ts';

const sources = join(root, 'packages/server-helper/src');

/** Types that the reference tells of in a place of their own. */
const leaves = new Set(['Money', 'Clock', 'Logger', 'Transport']);
const isLeaf = (name: string): boolean => leaves.has(name);

/** Reads the client's types and doc comments. */
export function readClient(): ClientModel {
  // Our own sources are enough: the client's types name no other library's, and reading those takes
  // most of the time.
  const project = new Project({ compilerOptions: { noResolve: true, strict: true, types: [] } });
  project.addSourceFilesAtPaths([join(sources, '**/*.ts'), `!${join(sources, '**/*.test.ts')}`]);
  const source = (name: string) => project.getSourceFileOrThrow(join(sources, 'gateway', name));
  const clientFile = source('gateway-client.ts');
  const errorFile = source('gateway-error.ts');
  const interfaceFields = (declared: InterfaceDeclaration) =>
    documented(fieldsOf(declared.getType(), isLeaf), declared.getName());
  const optionsType = clientFile.getInterfaceOrThrow('GatewayClientOptions');
  const error = errorFile.getClassOrThrow('GatewayError');
  const options = fieldsOf(
    optionsType.getType(),
    (name) => isLeaf(name) || name === 'GatewayOverrides',
  );
  return {
    methods: readMethods(clientFile.getInterfaceOrThrow('GatewayClient').getType()),
    creation: commentOf(clientFile.getFunctionOrThrow('createGatewayClient')),
    options: documented(options, 'GatewayClientOptions'),
    callOptions: interfaceFields(source('call.ts').getInterfaceOrThrow('CallOptions')),
    overrides: interfaceFields(source('overrides.ts').getInterfaceOrThrow('GatewayOverrides')),
    errorFields: error.getProperties().flatMap((property) => {
      const { text } = commentOf(property);
      const isOptional = property.getType().isNullable();
      const field = { isOptional, defaultValue: undefined, text };
      const isOwn = property.getName() !== 'name';
      return isOwn ? [{ ...field, name: property.getName(), type: typeTextOf(property) }] : [];
    }),
    errorCodes: errorFile
      .getTypeAliasOrThrow('GatewayErrorCode')
      .getType()
      .getUnionTypes()
      .map((type) => type.getText().slice(1, -1)),
    outcomes: commentOf(errorFile.getTypeAliasOrThrow('Outcome')),
  };
}

function readMethods(client: Type): ReadonlyMap<string, Method> {
  const methods = client.getProperties().map((property) => {
    const [declared] = property.getDeclarations();
    if (!Node.isMethodSignature(declared)) throw new Error(`${property.getName()} is no method.`);
    return [declared.getName(), readMethod(declared)] as const;
  });
  return new Map(methods);
}

function readMethod(declared: MethodSignature): Method {
  const name = declared.getName();
  const [first, ...more] = declared.getParameters();
  const takesInput = first !== undefined && more.length > 0;
  const [result] = declared.getReturnType().getTypeArguments();
  const resultText = declared.getReturnTypeNode()?.getText() ?? '';
  const hasResult = result !== undefined && !result.isVoid() && !result.isUndefined();
  return {
    name,
    signature: declared.getText().replace(/;$/, '').replaceAll(/\s+/g, ' ').replaceAll('( ', '('),
    comment: commentOf(declared),
    input: takesInput ? { choices: choicesOf(first.getType(), name) } : null,
    result: hasResult
      ? {
          type: /^Promise<(.*)>$/s.exec(resultText)?.[1] ?? resultText,
          fields: documented(fieldsOf(result, isLeaf), `the result of ${name}`),
        }
      : null,
  };
}

function choicesOf(input: Type, name: string): readonly (readonly Field[])[] {
  const choices = input.isUnion() ? input.getUnionTypes() : [input];
  return choices.map((choice) => documented(fieldsOf(choice, isLeaf), `the input of ${name}`));
}

/** A reader would have to guess what a field without a comment is. */
function documented(fields: readonly Field[], of: string): readonly Field[] {
  const bare = withoutComment(fields);
  if (bare.length === 0) return fields;
  throw new Error(`These fields of ${of} have no doc comment: ${bare.join(', ')}.`);
}
