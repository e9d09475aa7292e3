/** A request's path, split where the routes are mounted. */
export interface Place {
  readonly mount: string;
  readonly path: string;
}

export const placeAt = (pathname: string, cut: number): Place => ({
  mount: pathname.slice(0, cut),
  path: pathname.slice(cut),
});

/** A whole path, split at the mount; `null` for a path outside the mount. */
export const placeBelow = (pathname: string, mountPath: string): Place | null =>
  `${pathname}/`.toLowerCase().startsWith(`${mountPath}/`.toLowerCase())
    ? placeAt(pathname, mountPath.length)
    : null;
