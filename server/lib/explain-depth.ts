import { badRequest } from './errors.ts'

/**
 * Bodies that parse but are nested too deeply to be written again fail with a RangeError, wherever
 * that happens.
 */
export const explainDepth = (error: unknown): unknown =>
  error instanceof RangeError
    ? badRequest('The request is nested too deeply.', { code: 'too_deep', cause: error })
    : error
