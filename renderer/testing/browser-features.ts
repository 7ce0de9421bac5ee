/**
 * What the primitives expect of a browser and jsdom does not have. Import this before rendering.
 */
class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(globalThis, {
  ResizeObserver: Observer,
  IntersectionObserver: Observer,
  requestIdleCallback: () => 0,
  cancelIdleCallback: () => undefined,
})
Object.assign(window, {
  matchMedia: (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
})
Element.prototype.scrollIntoView = () => undefined
Element.prototype.hasPointerCapture = () => false
