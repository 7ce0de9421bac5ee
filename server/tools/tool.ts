export type { JsonSchema, ToolSpecification } from '#contract/openapi/schema.ts'

/** Something a tool gave that is shown rather than read: a picture, a sound, a document. */
export interface ToolFile {
  readonly type: 'image' | 'audio' | 'file'
  readonly mediaType: string
  readonly bytes: Buffer
  readonly name: string | null
}

/** What a call gave (docs/plugin-contract.md). */
export interface ToolOutput {
  /** What the model reads. */
  readonly text: string
  readonly isError: boolean
  readonly files: readonly ToolFile[]
  /** Documents for a sandboxed frame below the answer: HTML, or the address of a page. */
  readonly embeds: readonly string[]
}

/** An output that is only text. */
export const textOutput = (text: string): ToolOutput => ({
  text,
  isError: false,
  files: [],
  embeds: [],
})

/** A failure as the model reads it, so that it can try something else. */
export const errorOutput = (text: string): ToolOutput => ({
  text,
  isError: true,
  files: [],
  embeds: [],
})
