// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { samplePicture } from '../../testing/picture-samples.ts'
import { forgetPictures } from '../../ui/pictures/shown-pictures.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { GalleryPage } from './gallery-page.tsx'
import { addPictures, createPicturesStore } from './pictures-store.ts'

afterEach(() => {
  cleanup()
  forgetPictures()
  vi.unstubAllGlobals()
})

const LIST = 'GET /api/v1/images/gallery'
const show = (store = createPicturesStore(), mayMake = true) => {
  render(
    <TooltipProvider>
      <GalleryPage store={store} rights={{ mayMake, mayEdit: false }} />
    </TooltipProvider>,
  )
  return store
}

it('an empty gallery says how to make the first picture, and a picture that is made comes first', async () => {
  fakeGateway({
    [LIST]: { items: [], total: 0 },
    'POST /api/v1/images/generations': [{ url: '/api/v1/files/p1/content' }],
    'GET /api/v1/images/gallery/p1': samplePicture(),
  })
  show()
  expect(await screen.findByText('No images yet')).toBeTruthy()
  const box = screen.getByRole('textbox', { name: 'What should the image show?' })
  fireEvent.change(box, { target: { value: 'A boat' } })
  fireEvent.click(screen.getByRole('button', { name: 'Create image' }))
  const list = await screen.findByRole('list', { name: 'Images' })
  expect(within(list).getByRole('heading', { name: 'A boat' })).toBeTruthy()
  expect(list.textContent).toContain('512 × 512')
  expect(list.textContent).toContain('Seed 7')
})

it('where nothing is made, nothing is offered that would make one', async () => {
  fakeGateway({ [LIST]: { items: [], total: 0 } })
  show(createPicturesStore(), false)
  expect(await screen.findByText(/turned off on this gateway/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Create image' })).toBeNull()
})

it('pages are read one after another, and what was made meanwhile is not shown twice', async () => {
  const all = Array.from({ length: 40 }, (_, index) =>
    samplePicture({ id: `p${index}`, prompt: `Boat ${index}` }),
  )
  const gateway = fakeGateway({
    [LIST]: ({ query }: { query: URLSearchParams }) => {
      const start = (Number(query.get('page')) - 1) * 30
      return { items: all.slice(start, start + 30), total: all.length }
    },
  })
  const store = createPicturesStore()
  await store.load({ filter: { query: '', kind: '' } })
  const fresh = samplePicture({ id: 'new', prompt: 'Newest' })
  all.unshift(fresh)
  addPictures(store, [fresh])
  await store.loadMore()
  const ids = store.getState().items.map(({ id }) => id)
  expect(ids).toHaveLength(41)
  expect(new Set(ids).size).toBe(41)
  expect(gateway.calls.map(({ query }) => query.get('page'))).toEqual(['1', '2'])
})

it('a picture that the search leaves out does not come into the list when it is made', async () => {
  fakeGateway({ [LIST]: { items: [], total: 0 } })
  const store = createPicturesStore()
  await store.load({ filter: { query: 'castle', kind: '' } })
  addPictures(store, [samplePicture()])
  expect(store.getState().items).toEqual([])
})
