import { admin, user, type MatrixRow } from './matrix-row.ts'

const NO_DIGEST = `sha256:${'0'.repeat(64)}`

/**
 * Rows for the endpoints that relay calls to local runtimes and remote providers, of which there
 * are none.
 */
export const proxyRows: Readonly<Record<string, MatrixRow>> = {
  'runtimeProxy.status': user(),
  'runtimeProxy.verify': admin({ body: () => ({ url: 'http://127.0.0.1:9' }), status: 502 }),
  'runtimeProxy.config': admin(),
  'runtimeProxy.updateConfig': admin({ body: () => ({}) }),
  'runtimeProxy.tags': user(),
  'runtimeProxy.ps': admin(),
  'runtimeProxy.version': user(),
  'runtimeProxy.models': user(),
  'runtimeProxy.model': { ...user(404), params: () => ({ model_id: 'no-such-model' }) },
  'runtimeProxy.show': user(400, { name: 'no-such-model' }),
  'runtimeProxy.generate': user(400, { model: 'no-such-model', prompt: 'Hello' }),
  'runtimeProxy.chat': user(400, { model: 'no-such-model', messages: [] }),
  'runtimeProxy.embed': user(400, { model: 'no-such-model', input: ['Hello'] }),
  'runtimeProxy.embeddings': user(400, { model: 'no-such-model', prompt: 'Hello' }),
  'runtimeProxy.pull': admin({ body: () => ({ model: 'new' }), status: 503 }),
  'runtimeProxy.create': admin({ body: () => ({ model: 'new', from: 'old' }), status: 503 }),
  'runtimeProxy.push': admin({ body: () => ({ model: 'no-such-model' }), status: 400 }),
  'runtimeProxy.pushByDelete': admin({ body: () => ({ name: 'no-such-model' }), status: 400 }),
  'runtimeProxy.copy': admin({
    body: () => ({ source: 'no-such-model', destination: 'new' }),
    status: 400,
  }),
  'runtimeProxy.remove': admin({ body: () => ({ model: 'no-such-model' }), status: 400 }),
  'runtimeProxy.unload': admin({ body: () => ({ model: 'no-such-model' }), status: 400 }),
  'runtimeProxy.download': admin({
    body: () => ({ url: 'http://127.0.0.1:9/model.gguf' }),
    status: 400,
  }),
  'runtimeProxy.upload': admin({ status: 415 }),
  'runtimeProxy.findBlob': admin({ params: () => ({ digest: NO_DIGEST }), status: 503 }),
  'runtimeProxy.sendBlob': admin({ params: () => ({ digest: NO_DIGEST }), status: 503 }),
  'compatibleProxy.config': admin(),
  'compatibleProxy.updateConfig': admin({ body: () => ({}) }),
  'compatibleProxy.verify': admin({ body: () => ({ url: 'http://127.0.0.1:9' }), status: 502 }),
  'compatibleProxy.models': user(),
  'compatibleProxy.model': { ...user(404), params: () => ({ model_id: 'no-such-model' }) },
  'compatibleProxy.chatCompletions': user(400, { model: 'no-such-model', messages: [] }),
  'embeddings.create': user(400, { model: 'no-such-model', input: 'Hello' }),
  'embeddings.rerank': user(400, {
    model: 'no-such-model',
    query: 'Hello',
    documents: ['Hello'],
  }),
  // Switched off by default.
  'passThrough.get': user(403),
  'passThrough.post': user(403),
  'passThrough.delete': user(403),
}
