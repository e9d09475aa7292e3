import type { Payments } from '../../create-payments.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { withoutPersonal } from '../../gateway/quotable.ts';
import { html, type Html } from '../html.ts';
import { linkTo, type Fields, type Visit } from '../office.ts';
import type { Portal } from '../portal.ts';
import type { Shown } from '../shown.ts';
import { portalTexts } from '../texts/portal.ts';
import type { Done } from './action.ts';

/** What an action about the portal is about: the portal, and the record that the address names. */
export interface PortalMatter {
  readonly portal: Portal;
  /** Empty for what is about no record. */
  readonly id: string;
}

/** The field by which a confirmation says what its list held when it was asked. */
export const MARK_FIELD = 'mark';

/**
 * Makes something new at the gateway, once for a question: the gateway knows no request ids, so a repeat
 * within seconds gets the first answer, and a later one, or one at another process, finds a list that has
 * changed since.
 *
 * @param mark - Of the list as it is now.
 */
export function makeOnce(
  visit: Visit,
  fields: Fields,
  {
    mark,
    requestId,
    ...change
  }: PortalChange & { readonly mark: string; readonly requestId: string },
  make: () => Promise<Shown>,
): Promise<Done> {
  return visit.office.repeats.once(visit.actor, requestId, async () =>
    fields[MARK_FIELD] === mark ? changePortal(visit, change, make) : changedPage(visit),
  );
}

/** What the log says of a change at the portal. */
interface PortalChange {
  readonly operation: keyof Payments['gateway'];
  /** The gateway's id of what is changed. */
  readonly record?: string;
  readonly status?: string;
}

/**
 * Changes the portal, and logs who asked for it. Where the gateway refuses or loses the answer, a page says what is
 * known.
 */
export async function changePortal<Result extends Done>(
  visit: Visit,
  change: PortalChange,
  call: () => Promise<Result>,
): Promise<Result | Shown> {
  const log = (outcome: GatewayError['outcome'] | 'succeeded'): void =>
    visit.office.parts.logger.info(
      { by: loggedName(visit.actor), ...change, outcome },
      'a person asked for a change of the gateway’s portal in the back office',
    );
  try {
    const result = await call();
    log('succeeded');
    return result;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    log(error.outcome);
    return refusalPage(visit, error);
  }
}

/** A log holds no e-mail address and no long number; what is before the `@` says who it was. */
const loggedName = (actor: string): string => withoutPersonal(actor.replace(/(?:@|%40).*$/su, ''));

function refusalPage(visit: Visit, error: GatewayError): Shown {
  const sealed = error.body?.read();
  if (sealed !== undefined) return sealedPage(visit, sealed);
  const { unknown, refused } = portalTexts[visit.language];
  const { title, text } = error.outcome === 'unknown' ? unknown : refused;
  const why = html`<p>${text}</p>
    <p class="muted" dir="auto">${error.message}</p>`;
  return messagePage(visit, { status: 502, title, content: why });
}

/** A success whose secret is not where the kit looks for it: the secret is somewhere in the answer. */
export function sealedPage(visit: Visit, answer: string): Shown {
  const { title, text } = portalTexts[visit.language].sealed;
  return oncePage(visit, { title, lead: text, name: title, secret: answer, steps: [] });
}

function changedPage(visit: Visit): Shown {
  const { title, text } = portalTexts[visit.language].changed;
  return messagePage(visit, { status: 409, title, content: html`<p>${text}</p>` });
}

/** A secret that is shown in this answer alone. */
export function oncePage(
  visit: Visit,
  made: {
    readonly title: string;
    readonly lead?: Html | string;
    /** Names the secret beside the button that copies it. */
    readonly name: string;
    readonly secret: string;
    readonly steps: readonly (Html | string)[];
  },
): Shown {
  const texts = portalTexts[visit.language];
  const { title, lead, name, secret, steps } = made;
  return messagePage(visit, {
    title,
    content: html`<p class="warning" role="status">${texts.once}</p>
      ${typeof lead === 'string' ? html`<p>${lead}</p>` : (lead ?? null)}
      <p class="link">
        <code class="secret" dir="ltr" data-copy="${name}" data-test="secret">${secret}</code>
      </p>
      ${
        steps.length > 0 &&
        html`<h2>${texts.next}</h2>
          <ol class="steps">
            ${steps.map((step) => html`<li>${step}</li>`)}
          </ol>`
      }`,
  });
}

function messagePage(
  visit: Visit,
  page: { readonly status?: number; readonly title: string; readonly content: Html },
): Shown {
  const { status = 200, title, content } = page;
  return {
    status,
    title,
    main: html`<section class="message" data-test="portal-answer">
      <h1>${title}</h1>
      ${content}
      <p>
        <a class="button quiet" href="${linkTo(visit, 'gateway')}"
          >${portalTexts[visit.language].back}</a
        >
      </p>
    </section>`,
  };
}
