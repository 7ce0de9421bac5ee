/**
 * Returns the relative path from a URL back to the root of the gateway. A proxy that serves it
 * below a path removes that path without notice, but whatever its length, a browser finds the same
 * root by these steps.
 */
export const stepsToRoot = (path: string): string =>
  '../'.repeat(path.split('/').length - 2) || './'
