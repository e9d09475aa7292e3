import { nameOf } from '../errors.ts';
import { plainPage } from '../edges/problem.ts';
import { type Answer, type EdgeRequest, seeOther } from '../edges/http.ts';
import { assetAt } from './assets.ts';
import { type Actor, createMay, readActor } from './guards.ts';
import { askedLanguage, languageOf, remembered, switchLanguage } from './language.ts';
import { fieldsOf, type Office, type Visit } from './office.ts';
import { problemAnswer, problemOf } from './problems.ts';
import { routeOf } from './routes.ts';
import { problemTexts } from './texts/problems.ts';

/** Answers every request below the mount; never rejects for what a request can cause. */
export function createAnswer(office: Office): (request: EdgeRequest) => Promise<Answer> {
  return async (request) => {
    const actor = await readActor(office, request);
    if (actor === null) return unauthorized(request);
    const visit = visitOf(office, request, actor);
    try {
      return remembering(visit, await answerTo(visit));
    } catch (error) {
      return failed(visit, error);
    }
  };
}

/** Says nothing but that a name is missing, whatever the address is. */
function unauthorized(request: EdgeRequest): Answer {
  const { en, ar } = problemTexts;
  const text = { en: en.unauthorized.title, ar: ar.unauthorized.title };
  return plainPage(request, { status: 401, text });
}

function visitOf(office: Office, request: EdgeRequest, actor: Actor): Visit {
  const address = request.path.slice(1);
  return {
    office,
    request,
    actor: actor.text,
    language: languageOf(request),
    base: '../'.repeat(address.split('/').length - 1) || './',
    address,
    query: fieldsOf(request.query),
    may: createMay(office, actor),
  };
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

async function answerTo(visit: Visit): Promise<Answer> {
  const { request, address } = visit;
  if (!methods.has(request.method)) {
    return problemAnswer(visit, 'method_not_allowed', { headers: { allow: 'GET, HEAD, POST' } });
  }
  if (request.path === '') return toFolder(request);
  if (address === 'language') return switchLanguage(request);
  const asset = assetAt(address);
  if (asset !== null) return asset;
  const route = routeOf(address);
  if (route === null) return problemAnswer(visit, 'not_found');
  if (request.method === 'POST' && !route.takesForms) {
    return problemAnswer(visit, 'method_not_allowed', { headers: { allow: 'GET, HEAD' } });
  }
  return route.answer(visit);
}

/** Relative addresses need the slash behind the mount. This one is relative to the mount's folder. */
function toFolder({ mount, query }: EdgeRequest): Answer {
  const search = query.toString();
  return seeOther(`./${mount.split('/').at(-1)}/${search === '' ? '' : `?${search}`}`);
}

/** Keeps a language that an address asked for. */
function remembering({ request }: Visit, answer: Answer): Answer {
  const asked = askedLanguage(request);
  if (asked === null || answer.headers?.['set-cookie'] !== undefined) return answer;
  return { ...answer, headers: { ...answer.headers, ...remembered(asked, request.mount || '/') } };
}

/** The reader gets no detail of an exception that is not ours; the merchant's log gets it whole. */
function failed(visit: Visit, error: unknown): Promise<Answer> {
  const { logger, reportError } = visit.office.parts;
  const name = problemOf(error) ?? 'failed';
  if (name === 'failed') reportError(error, { where: 'request' });
  if (name === 'failed' || name === 'store_unavailable') {
    logger.error({ error: nameOf(error) }, 'a page of the back office could not be shown');
  }
  return problemAnswer(visit, name);
}
