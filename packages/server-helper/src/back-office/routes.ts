import type { Answer } from '../edges/http.ts';
import type { Action } from './actions/action.ts';
import { orderActions, portalActions, reviewActions } from './actions.ts';
import type { Visit } from './office.ts';
import { gatewayPage } from './pages/gateway.ts';
import { portalActionPage } from './pages/gateway-portal.ts';
import { orderActionPage, orderPage } from './pages/order.ts';
import { ordersCsv } from './pages/orders-csv.ts';
import { ordersPage } from './pages/orders.ts';
import { overviewPage } from './pages/overview.ts';
import { reviewActionPage, reviewPage } from './pages/review.ts';

/** What answers an address. */
interface Route {
  /** Whether it takes the forms of our pages by POST. */
  readonly takesForms: boolean;
  answer(visit: Visit): Promise<Answer>;
}

const page = (answer: Route['answer']): Route => ({ takesForms: false, answer });

const pages: Readonly<Record<string, Route>> = {
  '': page(overviewPage),
  orders: page(ordersPage),
  'orders.csv': page(ordersCsv),
  review: page(reviewPage),
  gateway: page(gatewayPage),
};

/** The route of an address below the mount; `null` where there is none. */
export function routeOf(address: string): Route | null {
  const known = address.replace(/\/$/, '');
  if (Object.hasOwn(pages, known)) return pages[known] ?? null;
  const [folder, given = '', name, ...more] = known.split('/');
  if (more.length > 0) return null;
  if (folder === 'orders') return orderRoute(decoded(given), name);
  if (name !== undefined) return null;
  if (folder === 'review') return actionRoute(reviewActions, given, reviewActionPage);
  return folder === 'gateway' ? actionRoute(portalActions, given, portalActionPage) : null;
}

function actionRoute<Subject>(
  actions: readonly Action<Subject>[],
  name: string,
  answer: (visit: Visit, action: Action<Subject>) => Promise<Answer>,
): Route | null {
  const action = actions.find((one) => one.name === name);
  return action === undefined
    ? null
    : { takesForms: true, answer: (visit) => answer(visit, action) };
}

function orderRoute(id: string, name: string | undefined): Route | null {
  if (id === '') return null;
  if (name === undefined) return page((visit) => orderPage(visit, id));
  const action = orderActions.find((one) => one.name === name);
  if (action === undefined) return null;
  return { takesForms: true, answer: (visit) => orderActionPage(visit, id, action) };
}

/** A segment of an address; empty where it cannot be decoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
