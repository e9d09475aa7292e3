import { GatewayError, PaymentsError, type PaymentsErrorCode } from '@pay-button/server-helper';
import type { NextFunction, Request, Response } from 'express';
import { apiErrors, type Problem, sendProblem, type Warn } from '../http/problem.ts';

/** The status of each error that is not a conflict (409). */
const statuses: Partial<Readonly<Record<PaymentsErrorCode, number>>> = {
  amount_too_large: 422,
  invalid_operation: 422,
  invalid_order: 422,
  not_found_in_store: 404,
  outcome_not_recorded: 503,
  store_unavailable: 503,
};

/**
 * The answer for an error of the kit or its gateway; `undefined` for every other error. Their
 * messages hold no credential, phone or card.
 */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof PaymentsError) {
    // The shop knows the order, so what is missing is a payment.
    const code = error.code === 'order_not_found' ? 'wrong_state' : error.code;
    const status = statuses[error.code] ?? 409;
    const { field, message } = error;
    const problem = { status, code, title: 'The operation was not done', detail: message };
    return field === undefined ? problem : { ...problem, field };
  }
  if (error instanceof GatewayError) {
    return {
      status: error.code === 'invalid_input' ? 422 : statusOfGateway(error),
      code: error.code,
      title: 'The gateway did not do it',
      detail: error.message,
    };
  }
  return undefined;
}

/** Answers an error of the kit or its gateway as a problem, and every other as the shop's API does. */
export function adminErrors(warn: Warn) {
  const others = apiErrors(warn);
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    const problem = response.headersSent ? undefined : problemOf(error);
    if (problem === undefined) others(error, request, response, next);
    else sendProblem(response, problem);
  };
}

function statusOfGateway({ code, httpStatus, outcome }: GatewayError): number {
  if (code === 'portal_not_configured') return 409;
  if (code === 'not_found') return 404;
  return outcome === 'rejected' && httpStatus === 400 ? 422 : 502;
}
