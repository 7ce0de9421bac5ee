import { badRequest } from '../errors.ts'

/**
 * Converts the RangeError thrown when a parsed body is nested too deeply to be serialized again.
 */
export const explainDepth = (error: unknown): unknown =>
  error instanceof RangeError
    ? badRequest('The request is nested too deeply.', { code: 'too_deep', cause: error })
    : error
