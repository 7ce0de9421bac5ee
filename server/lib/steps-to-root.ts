/**
 * The way from an address back to the root of the gateway. A proxy that serves it below a path
 * takes that path away and tells nobody, but however long it is, a browser finds the same root by
 * these steps.
 */
export const stepsToRoot = (path: string): string =>
  '../'.repeat(path.split('/').length - 2) || './'
