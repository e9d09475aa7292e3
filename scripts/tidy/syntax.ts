import { parseSync, Visitor } from 'vite';
import type { HouseFile } from './rule.ts';

/** A function's place; `calledAs` is the call that takes the function, such as `describe`. */
export interface FunctionSpan {
  readonly start: number;
  readonly end: number;
  readonly calledAs: string | undefined;
}

/** A call such as `it.each(rows)('name', …)`: `callee` is `it.each`, `name` the first text. */
export interface NamedCall {
  readonly start: number;
  readonly callee: string;
  readonly name: string | undefined;
}

type Program = ReturnType<typeof parseSync>['program'];
type Call = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['CallExpression']>>[0];
type Callee = Call['callee'];

/** Whether a file has syntax that we can read: TypeScript or JavaScript. */
export const isCode = (path: string): boolean => /\.(?:ts|mts|js|mjs)$/.test(path);

/** Every function, method and arrow function of a file. */
export function functionsOf(file: HouseFile): readonly FunctionSpan[] {
  const found: FunctionSpan[] = [];
  const handedTo = new Map<number, string>();
  const add = ({ start, end }: { start: number; end: number }): void => {
    found.push({ start, end, calledAs: handedTo.get(start) });
  };
  new Visitor({
    CallExpression(call) {
      for (const argument of call.arguments) handedTo.set(argument.start, calleeName(call.callee));
    },
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(parse(file));
  return found;
}

/** Every call of a file with the dotted name of what is called. */
export function callsOf(file: HouseFile): readonly NamedCall[] {
  const found: NamedCall[] = [];
  new Visitor({
    CallExpression(call) {
      found.push({ start: call.start, callee: calleeName(call.callee), name: firstText(call) });
    },
  }).visit(parse(file));
  return found;
}

/** @throws where the file is not valid TypeScript; the message names it. */
export function parse(file: HouseFile): Program {
  const { program, errors } = parseSync(file.path, file.text);
  const error = errors[0];
  if (error !== undefined) throw new Error(`${file.path}: ${error.message}`);
  return program;
}

function calleeName(callee: Callee): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'CallExpression') return calleeName(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return calleeName(callee.tag);
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    return `${calleeName(callee.object)}.${callee.property.name}`;
  }
  return '';
}

function firstText(call: Call): string | undefined {
  const first = call.arguments[0];
  if (first?.type === 'Literal' && typeof first.value === 'string') return first.value;
  if (first?.type !== 'TemplateLiteral') return undefined;
  return first.quasis.map((quasi) => quasi.value.raw).join('value');
}
