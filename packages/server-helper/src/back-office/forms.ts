import { readBody } from '../edges/body.ts';
import { isSameOrigin } from './guards.ts';
import { fieldsOf, type Fields, type Visit } from './office.ts';
import type { ProblemName } from './texts/problems.ts';

const MAX_BODY_BYTES = 65_536;

/** The name of the field that holds the form's token. */
export const TOKEN_FIELD = 'form';

/** The fields of a form that one of our pages sent, or why it is refused. */
export async function readForm(visit: Visit): Promise<Fields | ProblemName> {
  const { office, request, actor } = visit;
  if (!isSameOrigin(office, request)) return 'foreign_form';
  const read = await readBody(request, MAX_BODY_BYTES);
  if (read.kind !== 'form' || typeof read.value !== 'object' || read.value === null) {
    return 'bad_form';
  }
  const fields = fieldsOf(Object.entries(read.value));
  const token = fields[TOKEN_FIELD] ?? '';
  return office.forms.isValid(token, actor, office.parts.clock.now()) ? fields : 'stale_form';
}
