/** A router of Express 5.3, as far as it lists its routes. */
interface ListedRouter {
  listRoutes(): readonly {
    readonly path: string | RegExp;
    readonly methods: readonly string[] | undefined;
    readonly router: ListedRouter | undefined;
  }[];
}

/** A route by its method and its path, with `:name` where a segment varies. */
export interface ListedRoute {
  readonly method: string;
  readonly path: string;
}

/** The routes of those routers that are mounted in no other, and of all that are mounted in them. */
export function routesOfApps(routers: readonly unknown[]): readonly ListedRoute[] {
  const all = new Set(routers as readonly ListedRouter[]);
  const mounted = new Set(
    [...all].flatMap((router) => router.listRoutes()).map((one) => one.router),
  );
  return [...all]
    .filter((router) => !mounted.has(router))
    .flatMap((router) => routesBelow('', router));
}

function routesBelow(mount: string, router: ListedRouter): readonly ListedRoute[] {
  return router.listRoutes().flatMap(({ path: own, methods = [], router: inner }) => {
    const path = `${mount}${String(own)}`.replaceAll(/\/{2,}/g, '/');
    if (inner !== undefined) return routesBelow(path.replace(/\/$/, ''), inner);
    return methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path }));
  });
}
