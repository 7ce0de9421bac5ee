export type { JsonSchema, ToolSpecification } from '#contract/openapi/schema.ts'

/** A tool output that is shown rather than read: an image, audio, a document. */
export interface ToolFile {
  readonly type: 'image' | 'audio' | 'file'
  readonly mediaType: string
  readonly bytes: Buffer
  readonly name: string | null
}

/** Result of a call (docs/plugin-contract.md). */
export interface ToolOutput {
  /** Text for the model. */
  readonly text: string
  readonly isError: boolean
  readonly files: readonly ToolFile[]
  /** Documents for a sandboxed frame below the answer: HTML, or the URL of a page. */
  readonly embeds: readonly string[]
}

/** Returns an output that is only text. */
export const textOutput = (text: string): ToolOutput => ({
  text,
  isError: false,
  files: [],
  embeds: [],
})

/** Returns a failure in the form read by the model, so that it can try something else. */
export const errorOutput = (text: string): ToolOutput => ({
  text,
  isError: true,
  files: [],
  embeds: [],
})
