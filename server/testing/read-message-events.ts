import { expect } from 'vitest'

/** An event of the messages API, with the fields that tests check. */
export interface StreamEvent {
  readonly type: string
  readonly index?: number
  readonly message?: Record<string, unknown>
  readonly content_block?: Record<string, unknown>
  readonly delta?: Partial<
    Record<'text' | 'thinking' | 'partial_json' | 'stop_reason' | 'stop_sequence', string | null>
  >
  readonly usage?: Record<string, unknown>
  readonly error?: { type: string; message: string }
}

/**
 * Returns the events of a streamed answer of the messages API, and checks that their names and
 * types agree.
 */
export async function readMessageEvents(response: Response): Promise<StreamEvent[]> {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  return (await response.text())
    .split(/\n\n+/)
    .filter((text) => text !== '')
    .map((text) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? []
      const event = JSON.parse(data ?? '') as StreamEvent
      expect(event.type).toBe(name)
      return event
    })
}
