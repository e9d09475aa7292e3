import { nameOf } from '../errors.ts';
import { measureGatewayCall } from './instruments.ts';
import { hasTelemetry, inSpan } from './otel.ts';

/** What is told of a failed call; shaped like the client's errors. */
interface Failure {
  readonly outcome?: string;
  readonly httpStatus?: number;
}

/** Makes a call of the gateway below a span of its own, and measures it. */
export function inGatewaySpan<T>(operation: string, work: () => Promise<T>): Promise<T> {
  if (!hasTelemetry()) return work();
  const about = { 'pay.gateway.operation': operation };
  return inSpan(`gateway.${operation}`, about, 'client', async (span) => {
    const startedAt = performance.now();
    const measure = (outcome: string): void =>
      measureGatewayCall(performance.now() - startedAt, { operation, outcome });
    try {
      const value = await work();
      measure('success');
      span?.end();
      return value;
    } catch (error) {
      const { outcome = 'unknown', httpStatus } = (error ?? {}) as Failure;
      measure(outcome);
      span?.set({ 'pay.gateway.outcome': outcome, 'http.response.status_code': httpStatus });
      span?.end(nameOf(error));
      throw error;
    }
  });
}
