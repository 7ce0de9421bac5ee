/** Browser features that the UI primitives expect and jsdom lacks. Import this before rendering. */
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
