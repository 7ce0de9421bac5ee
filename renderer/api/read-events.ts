/** Splits a stream of server-sent events into the data of each event. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const events = (rest + value).split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
      if (lines.length > 0) yield lines.map((line) => line.slice(5).trimStart()).join('\n')
    }
  }
}
