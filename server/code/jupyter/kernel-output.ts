import { z } from '#contract/lazy-zod.ts'
import type { CodeError } from '#contract/code.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'

/** Output of code on a Jupyter server. */
export interface KernelOutput {
  stdout: string
  stderr: string
  result: string
  pictures: string[]
  html: string | null
  error: CodeError | null
}

const messageSchema = z.looseObject({
  msg_type: z.string().optional(),
  header: z.looseObject({ msg_type: z.string().optional() }).optional(),
  parent_header: z.looseObject({ msg_id: z.string().optional() }).optional(),
  content: z.looseObject({}).optional(),
})

// oxlint-disable-next-line no-control-regex -- the colours of a terminal
const COLOURS = /\u001B\[[\d;]*m/g
const LINE = /^(?:Cell In\[\d+\], line|File <ipython-input[^>]*>:|----> ?)\s*(\d+)/m
const MOST_PICTURES = 20

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.filter((each) => typeof each === 'string').join('')
      : ''

/** Reads the messages of one run; omits output beyond the byte limit, and adds a line about it. */
export class KernelReader {
  readonly output: KernelOutput = {
    stdout: '',
    stderr: '',
    result: '',
    pictures: [],
    html: null,
    error: null,
  }
  readonly id: string
  #room: number
  readonly #limit: number
  #isCut = false

  constructor(id: string, limit: number) {
    this.id = id
    this.#limit = limit
    this.#room = limit
  }

  /** Processes a message; returns true if it was the last one of the run. */
  take(text: string): boolean {
    const message = parse(text)
    if (message?.parent_header?.msg_id !== this.id) return false
    const content = message.content ?? {}
    const type = message.msg_type ?? message.header?.msg_type
    const { output } = this
    if (type === 'stream') {
      const kept = this.#keep(textOf(content['text']))
      if (content['name'] === 'stderr') output.stderr += kept
      else output.stdout += kept
    } else if (type === 'execute_result' || type === 'display_data') this.#show(content['data'])
    else if (type === 'error') this.#fail(content)
    return type === 'status' && content['execution_state'] === 'idle'
  }

  /** Returns the output, with a line about omitted output. */
  end(): KernelOutput {
    if (this.#isCut)
      this.output.stderr += `\n[The output is longer than ${this.#limit} bytes; the rest is left out.]`
    return this.output
  }

  #keep(text: string): string {
    const bytes = Buffer.from(text)
    if (bytes.length > this.#room) this.#isCut = true
    const kept = bytes.subarray(0, this.#room)
    this.#room -= kept.length
    return kept.toString()
  }

  #show(data: unknown): void {
    if (typeof data !== 'object' || data === null) return
    const kinds = data as Record<string, unknown>
    for (const type of ['image/png', 'image/jpeg']) {
      const picture = textOf(kinds[type]).replaceAll(/\s/g, '')
      if (picture !== '' && this.output.pictures.length < MOST_PICTURES)
        this.output.pictures.push(`data:${type};base64,${picture}`)
      if (picture !== '') return
    }
    const html = textOf(kinds['text/html'])
    if (html.includes('<table') && html.length < 200_000) this.output.html = html
    const plain = this.#keep(textOf(kinds['text/plain']))
    if (plain !== '') this.output.result += this.output.result === '' ? plain : `\n${plain}`
  }

  #fail(content: Readonly<Record<string, unknown>>): void {
    const lines = Array.isArray(content['traceback']) ? content['traceback'] : []
    const traceback = lines.map(textOf).join('\n').replaceAll(COLOURS, '').slice(0, 20_000)
    const line = Number(LINE.exec(traceback)?.[1]) || null
    const name = textOf(content['ename']).slice(0, 1000)
    const message = textOf(content['evalue']).slice(0, 20_000)
    this.output.error = { name, message, line, traceback }
    this.output.stderr += traceback || `${name}: ${message}`
  }
}

const parse = (text: string) => messageSchema.safeParse(parseOrNull(text)).data ?? null
