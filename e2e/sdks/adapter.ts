/** A tool call as the scenarios compare it. */
export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
}

/** How an SDK reported a failure: the status and the sentence a person would read. */
export interface Failure {
  readonly status: number | undefined
  readonly message: string
}

/** One unmodified SDK as the table of scenarios drives it. Texts are what its caller would show. */
export interface SdkAdapter {
  readonly name: string
  /** Put before the names of scenarios to get the models this SDK can reach. */
  readonly prefix: string
  /** Ids of all models; absent where the SDK has no such call. */
  readonly list?: () => Promise<string[]>
  chat(model: string): Promise<string>
  /** The pieces in the order they came. */
  stream(model: string): Promise<string[]>
  tools(model: string): Promise<ToolCall[]>
  streamedTools(model: string): Promise<ToolCall[]>
  /** Asks about a picture, given as base64 of a PNG. */
  image(model: string, png: string): Promise<string>
  /** Asks with a key; the failure it ended with. */
  fail(model: string, key: string): Promise<Failure>
  /** Starts an answer and leaves after its first piece. */
  cancel(model: string): Promise<void>
}

export const QUESTION = 'Hello'
export const TOOL_NAME = 'get_weather'
export const TOOL_PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' }, days: { type: 'number' } },
}

/** Runs what has to fail. */
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
