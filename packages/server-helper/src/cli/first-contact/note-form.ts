import { valueAt } from '../../gateway/operation.ts';
import { isFields, isSuccess, summaryOf } from './gateway-line.ts';
import {
  findForm,
  givenOf,
  type AnswerField,
  type Form,
  type OpenOperation,
  type Request,
} from './operation-forms.ts';
import { listIn, placeOf } from './places.ts';
import type { Visit } from './visit.ts';

/** The values of an answer by our names of its fields, one for each record that has the field. */
export type Values = Readonly<Record<string, readonly unknown[]>>;

/**
 * Takes an operation in the form that the gateway knows, and notes that form and the places of the
 * fields in its answer.
 *
 * @returns `undefined` where it was refused.
 */
export async function takeOperation(
  visit: Visit,
  operation: OpenOperation,
  request: Request,
): Promise<Values | undefined> {
  const { findings } = visit;
  const { reading, route } = operation;
  const form = await findForm(visit, operation, request);
  if (form === undefined) {
    findings.note(reading, 'contradicted', `${route.join(' ')} is unknown, and so are other forms`);
    return undefined;
  }
  if (isSuccess(form.answer)) return noteForm(visit, operation, form);
  const { answer } = form;
  findings.note(reading, 'not seen', `${form.route.join(' ')}: ${summaryOf(answer)}`);
  findings.remark(`${form.route.join(' ')} failed: ${findings.wordsOf(answer)}`);
  return undefined;
}

/** Notes the form of an operation that was taken. */
export function noteForm(visit: Visit, operation: OpenOperation, form: Form): Values {
  const { findings } = visit;
  const { reading, name, route, changes, request = {} } = operation;
  const [method, path] = form.route;
  const text = `${method} ${path}`;
  const note = (part: string, value: unknown, usual: unknown, seen: string) => {
    const place = name === 'login' ? `login.${part}` : `operations.${name}.${part}`;
    findings.noteEntry(reading, { place, value, usual }, seen);
  };
  if (changes.includes('method')) note('method', method, route[0], text);
  if (changes.includes('path')) note('path', path, route[1], text);
  for (const field of Object.keys(request)) {
    const theirs = form.names[field];
    if (theirs === undefined) continue;
    note(`body.${field}`, theirs, field, theirs === field ? text : `the ${field} in ${theirs}`);
  }
  const documents = documentsIn(visit, operation, form, note);
  const fields = Object.entries(operation.answer ?? {}).map(([field, known]) => {
    const given = givenOf(visit.profile, name).answer?.[field];
    const pointer = pointerTo(documents, field, known, given);
    const values = pointer === null ? [] : documents.map((one) => valueAt(one, pointer));
    const present = values.filter((value) => value !== undefined);
    if (known.isSecret === true) for (const one of present.filter(isText)) findings.hide(one);
    if (documents.length > 0) noteField(name, field, known, { pointer, given }, note);
    return [field, present] as const;
  });
  return Object.fromEntries(fields);
}

const isText = (value: unknown): value is string => typeof value === 'string';

type Note = (part: string, value: unknown, usual: unknown, seen: string) => void;

/** The records of a list, or the answer itself. */
function documentsIn(
  { findings, profile }: Visit,
  { reading, name, list }: OpenOperation,
  { answer: { body } }: Form,
  note: Note,
): readonly unknown[] {
  if (list === undefined) return [body];
  const given = givenOf(profile, name).answer?.[list];
  const candidates = [given, `/${list}`, listIn(body)?.pointer];
  const pointer = candidates.find(
    (one) => typeof one === 'string' && Array.isArray(valueAt(body, one)),
  );
  if (typeof pointer !== 'string') {
    findings.note(reading, 'contradicted', 'the answer holds no list');
    return [];
  }
  note(`answer.${list}`, pointer, `/${list}`, `a list at "${pointer}"`);
  const records = (valueAt(body, pointer) as readonly unknown[]).filter(isFields);
  if (records.length === 0) findings.note(reading, 'not seen', 'the list is empty');
  return records;
}

/** Where a field is: where the profile says, at a usual place, or under another name. */
function pointerTo(
  documents: readonly unknown[],
  name: string,
  { names, fits, usual = [`/${name}`] }: AnswerField,
  given: string | null | undefined,
): string | null {
  const isAt = (pointer: string) => documents.some((one) => fits(valueAt(one, pointer)));
  const known = [given ?? '', ...usual].find((pointer) => pointer !== '' && isAt(pointer));
  if (known !== undefined) return known;
  const found = documents.map((one) => placeOf(one, [name, ...names], fits));
  return found.find((place) => place !== undefined)?.pointer ?? null;
}

function noteField(
  operation: OpenOperation['name'],
  name: string,
  { usual: places = [`/${name}`], isNeeded }: AnswerField,
  {
    pointer,
    given,
  }: { readonly pointer: string | null; readonly given: string | null | undefined },
  note: Note,
): void {
  if (pointer === null && isNeeded !== true) return;
  const part = operation === 'login' ? name : `answer.${name}`;
  const isUsual = pointer !== null && pointer !== given && places.includes(pointer);
  const value = isUsual ? places[0] : pointer;
  const seen =
    isUsual && pointer === `/${name}`
      ? 'fields under our names'
      : `${name} at ${pointer ?? 'no place'}`;
  note(part, value, places[0], seen);
}
