import type { Conversation } from './start-conversation.ts'
import { expect } from 'vitest'

/** Callers: the administrator, the owner of the objects created here, and another user. */
export type Who = 'admin' | 'owner' | 'other'

/**
 * A call of a program written for the reference, with what it answers. `{name}` in a path, a body
 * or an expected answer stands for an id that an earlier row kept.
 */
export interface Row {
  readonly as?: Who
  readonly call: string
  readonly body?: unknown
  readonly form?: { readonly filename: string; readonly type: string; readonly field?: string }
  readonly status?: number
  readonly answer?: unknown
  /** Fields that the answer has, and those it does not have. */
  readonly has?: readonly string[]
  readonly lacks?: readonly string[]
  /** Name under which the id of the answer is kept. */
  readonly keep?: string
}

interface Play {
  readonly server: Conversation['server']
  readonly tokens: Readonly<Record<Who, string>>
}

function fill<Value>(value: Value, kept: ReadonlyMap<string, string>): Value {
  if (value === undefined) return value
  const text = JSON.stringify(value).replaceAll(
    /\{([a-z]+)\}/g,
    (all, name: string) => kept.get(name) ?? all,
  )
  return JSON.parse(text) as Value
}

function send(
  { as = 'owner', call, body, form }: Row,
  { server, tokens }: Play,
  kept: ReadonlyMap<string, string>,
): Promise<Response> {
  const [method, path] = fill(call, kept).split(' ')
  if (!form) return server.call(method!, path!, { token: tokens[as], body: fill(body, kept) })
  const parts = new FormData()
  parts.append(form.field ?? 'file', new Blob(['RIFF'], { type: form.type }), form.filename)
  return fetch(server.url + path!, {
    method: method!,
    headers: { Authorization: `Bearer ${tokens[as]}` },
    body: parts,
  })
}

/** Makes the calls one after the other, and checks what each answers. */
export async function playRows(play: Play, rows: readonly Row[]): Promise<void> {
  const kept = new Map<string, string>()
  for (const row of rows) {
    const reply = await send(row, play, kept)
    const text = await reply.text()
    const named = `${row.as ?? 'owner'} ${row.call} → ${text.slice(0, 300)}`
    expect(reply.status, named).toBe(row.status ?? 200)
    if (row.answer === undefined && !row.has && !row.lacks && !row.keep) continue
    const answer = JSON.parse(text) as Record<string, unknown>
    if (row.answer !== undefined) expect(answer, named).toEqual(row.answer)
    for (const each of row.has ?? []) expect(answer, named).toHaveProperty(each)
    for (const each of row.lacks ?? []) expect(answer, named).not.toHaveProperty(each)
    if (row.keep) kept.set(row.keep, String(answer['id']))
  }
}
