/** Loads the used parts of the libraries; needed only for sending traces. */
export async function loadTraces() {
  const [api, sdk, resources, transformer] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/otlp-transformer'),
  ])
  return {
    ROOT_CONTEXT: api.ROOT_CONTEXT,
    SpanKind: api.SpanKind,
    SpanStatusCode: api.SpanStatusCode,
    trace: api.trace,
    BatchSpanProcessor: sdk.BatchSpanProcessor,
    TracerProvider: sdk.TracerProvider,
    toResource: resources.resourceFromAttributes,
    serializer: transformer.JsonTraceSerializer,
  }
}

export type TraceLibrary = Awaited<ReturnType<typeof loadTraces>>
