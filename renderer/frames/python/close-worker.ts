// Runs before the runtime is evaluated. The policy of the frame already blocks the network; code
// could use the names removed here to start more workers, send messages to those of other chats, or
// forge the result of its cell.

const UNWANTED = [
  'BroadcastChannel',
  'EventSource',
  'FontFace',
  'Notification',
  'SharedWorker',
  'WebSocket',
  'WebSocketStream',
  'WebTransport',
  'Worker',
  'XMLHttpRequest',
  'caches',
  'importScripts',
  'indexedDB',
  'navigator',
] as const

/** Kept for this worker only. */
export const send = self.postMessage.bind(self)
export const listen = self.addEventListener.bind(self)

for (
  let holder: object | null = self;
  holder && holder !== Object.prototype;
  holder = Object.getPrototypeOf(holder) as object | null
) {
  for (const name of UNWANTED) Reflect.deleteProperty(holder, name)
  for (const name of ['postMessage', 'close', 'addEventListener'])
    Reflect.deleteProperty(holder, name)
}
