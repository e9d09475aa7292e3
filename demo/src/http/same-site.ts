import type { NextFunction, Request, Response } from 'express';

/**
 * Lets other sites send nobody's basket or order: a changing request must come from the shop's own
 * pages. Programs that are no browsers send neither header and pass.
 *
 * @param refuse - Answers a request that came from elsewhere.
 */
export function sameSiteOnly(
  publicOrigin: string,
  refuse: (request: Request, response: Response) => void,
) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (isReading || isOwn(request, publicOrigin)) next();
    else refuse(request, response);
  };
}

function isOwn(request: Request, publicOrigin: string): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('Origin');
  return origin === undefined || origin === publicOrigin;
}
