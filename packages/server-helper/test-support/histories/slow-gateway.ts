import type { FlowContext } from '../../src/flows/flow-context.ts';
import type { SimulatedGateway } from '../simulated-gateway.ts';
import type { Label, SlowCalls } from './slow-calls.ts';
import type { Waiter } from './timeline.ts';

/** What a process asks of the gateway. */
export type AskedGateway = FlowContext<unknown>['gateway'];

/** The gateway as one process reaches it: requests and answers are on their way for a while. */
export function slowGateway(
  gateway: SimulatedGateway,
  calls: SlowCalls,
  waiter: Waiter,
): AskedGateway {
  const ask = <T>(label: Label, work: () => Promise<T>): Promise<T> =>
    calls.toGateway(waiter, label, work);
  const about = (name: string, input: object): Label => {
    return () => `gateway ${name} ${JSON.stringify({ ...input, card: undefined })}`;
  };
  return {
    createPaymentLink: (input) =>
      ask(about('create link', input), () => gateway.createPaymentLink(input)),
    retrieveStatus: (input) => ask(about('status', input), () => gateway.retrieveStatus(input)),
    refund: (input) => ask(about('refund', input), () => gateway.refund(input)),
    capture: (input) => ask(about('capture', input), () => gateway.capture(input)),
    void: (input) => ask(about('void', input), () => gateway.void(input)),
    chargeRecurring: (input) => ask(about('charge', input), () => gateway.chargeRecurring(input)),
    sale: (input) => ask(about('sale', input), () => gateway.sale(input)),
  };
}
