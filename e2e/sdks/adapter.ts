/** A tool call in the form that the scenarios compare. */
export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
}

/** A failure as an SDK reported it: the status and the message for the user. */
export interface Failure {
  readonly status: number | undefined
  readonly message: string
}

/**
 * One unmodified SDK, driven by the table of scenarios. Texts are those its caller would display.
 */
export interface SdkAdapter {
  readonly name: string
  /** Prefix of scenario names for the models this SDK can reach. */
  readonly prefix: string
  /** Returns the ids of all models; absent if the SDK has no such call. */
  readonly list?: () => Promise<string[]>
  chat(model: string): Promise<string>
  /** Returns the pieces in the order in which they arrived. */
  stream(model: string): Promise<string[]>
  tools(model: string): Promise<ToolCall[]>
  streamedTools(model: string): Promise<ToolCall[]>
  /** Asks about a picture, given as base64 of a PNG. */
  image(model: string, png: string): Promise<string>
  /** Asks with a key; returns the failure. */
  fail(model: string, key: string): Promise<Failure>
  /** Starts an answer and disconnects after its first piece. */
  cancel(model: string): Promise<void>
}

export const QUESTION = 'Hello'
export const TOOL_NAME = 'get_weather'
export const TOOL_PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' }, days: { type: 'number' } },
}

/** Runs work that must fail and returns the failure. */
export async function failureOf(
  work: () => Promise<unknown>,
  read: (thrown: unknown) => Failure,
): Promise<Failure> {
  try {
    await work()
  } catch (thrown) {
    return read(thrown)
  }
  throw new Error('The call succeeded although it had to fail.')
}
