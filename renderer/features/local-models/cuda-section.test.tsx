// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { CudaState, ModelDownload } from '#contract/engine.ts'
import '../../lib/i18n.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { localModels } from '../../testing/local-model-samples.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { createLocalModelsStore } from './local-models-store.ts'
import { LocalModelsPage } from './local-models-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const nothing: CudaState = { installed: false, disk_bytes: 0, downloads: [], is_used: null }
const download = (change: Partial<ModelDownload> = {}): ModelDownload => ({
  ...localModels.downloads[0]!,
  id: 'c1',
  name: 'linux-x64-cuda-3.21.1.tgz',
  status: 'paused',
  error: null,
  ...change,
})

function show(cuda: CudaState | null, answers: Record<string, unknown> = {}) {
  const gateway = fakeGateway({ 'GET /api/v1/engine': { ...localModels, cuda }, ...answers })
  render(
    <TooltipProvider>
      <LocalModelsPage store={createLocalModelsStore()} onChanged={() => undefined} />
    </TooltipProvider>,
  )
  return gateway
}
const pathsOf = ({ calls }: ReturnType<typeof fakeGateway>): string[] =>
  calls
    .map(({ method, path }) => `${method} ${path}`)
    .filter((each) => each !== 'GET /api/v1/engine')

it('says nothing of CUDA where there is no card', async () => {
  show(null)
  await screen.findByRole('heading', { name: 'Downloads' })
  expect(screen.queryByText('NVIDIA card')).toBeNull()
})

it('asks for the sizes first, and downloads once they are confirmed', async () => {
  const gateway = show(nothing, {
    'GET /api/v1/engine/cuda/offer': { download_bytes: 319_500_000, installed_bytes: 562_900_000 },
    'POST /api/v1/engine/cuda/downloads': true,
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Download…' }))
  expect(
    await screen.findByText('To download: 319.5 MB. Space on the disk: 562.9 MB.'),
  ).toBeTruthy()
  expect(pathsOf(gateway)).toEqual(['GET /api/v1/engine/cuda/offer'])
  gateway.answers['GET /api/v1/engine'] = {
    ...localModels,
    cuda: { ...nothing, downloads: [download()] },
  }
  fireEvent.click(screen.getByRole('button', { name: 'Download' }))
  fireEvent.click(
    await screen.findByRole('button', {
      name: 'Continue the download of “linux-x64-cuda-3.21.1.tgz”',
    }),
  )
  await vi.waitFor(() =>
    expect(pathsOf(gateway).slice(1)).toEqual([
      'POST /api/v1/engine/cuda/downloads',
      'POST /api/v1/engine/downloads/c1/resume',
    ]),
  )
})

it('says that a size is not known, and downloads nothing that is not confirmed', async () => {
  const gateway = show(nothing, {
    'GET /api/v1/engine/cuda/offer': { download_bytes: null, installed_bytes: null },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Download…' }))
  expect(await screen.findByText(/does not state all sizes/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByText(/does not state all sizes/)).toBeNull()
  expect(pathsOf(gateway)).toEqual(['GET /api/v1/engine/cuda/offer'])
})

it('shows why nothing is downloaded', async () => {
  const detail = 'The gateway is in offline mode, so nothing is fetched.'
  show(nothing, { 'GET /api/v1/engine/cuda/offer': refusal(403, detail) })
  fireEvent.click(await screen.findByRole('button', { name: 'Download…' }))
  expect(await screen.findByText(detail)).toBeTruthy()
})

it.each([
  [null, /The next model that is loaded uses them/],
  [true, /Models run on the card/],
  [false, /The files did not load, so models run without CUDA/],
])('says whether models run on the card: %s', async (isUsed, words) => {
  show({ installed: true, disk_bytes: 562_900_000, downloads: [], is_used: isUsed })
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText(/Installed, 562.9 MB on the disk/)).toBeTruthy()
})

it('offers to delete files that are incomplete, and to download the rest', async () => {
  show({ installed: false, disk_bytes: 188_700_000, downloads: [], is_used: null })
  expect(await screen.findByText(/188.7 MB on the disk, incomplete/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Download…' })).toBeTruthy()
})

it('deletes the files once that is confirmed', async () => {
  const gateway = show(
    { installed: true, disk_bytes: 562_900_000, downloads: [], is_used: true },
    { 'DELETE /api/v1/engine/cuda': true },
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await screen.findByText('Delete the files for NVIDIA cards?')
  expect(pathsOf(gateway)).toEqual([])
  gateway.answers['GET /api/v1/engine'] = { ...localModels, cuda: nothing }
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByRole('button', { name: 'Download…' })).toBeTruthy()
  expect(pathsOf(gateway)).toEqual(['DELETE /api/v1/engine/cuda'])
})
