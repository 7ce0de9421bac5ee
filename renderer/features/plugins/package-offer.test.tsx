// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway, refusal, type SeenCall } from '../../testing/fake-gateway.ts'
import { PackageOffer } from './package-offer.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const environment = (fields: Record<string, unknown> = {}) => ({
  id: 'e1',
  requirements: ['requests', 'tiktoken'],
  status: 'installing',
  detail: null,
  log: ['Collecting tiktoken'],
  ...fields,
})

function show(answers: Record<string, unknown>) {
  const gateway = fakeGateway({ 'POST /api/v1/plugins/environments': environment(), ...answers })
  const onInstalled = vi.fn()
  const read = () => Promise.resolve({ content: 'import tiktoken', requirements: ['requests'] })
  render(
    <PackageOffer store="tool" packages={['tiktoken']} read={read} onInstalled={onInstalled} />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Install tiktoken' }))
  return { gateway, onInstalled }
}

describe('the offer to install what a plugin needs', () => {
  it('shows what the installer says and hands on all packages when they are there', async () => {
    let left = 2
    const { gateway, onInstalled } = show({
      'GET /api/v1/plugins/environments/e1': () =>
        environment(--left > 0 ? {} : { status: 'ready' }),
    })
    expect(screen.getByRole('progressbar', { name: 'Missing packages' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Stop installation' })).toBeTruthy()
    expect(await screen.findByText('Collecting tiktoken')).toBeTruthy()
    await vi.waitFor(() => expect(onInstalled).toHaveBeenCalledWith(['requests', 'tiktoken']), {
      timeout: 5000,
    })
    expect(gateway.calls[0]!.body).toEqual({
      store: 'tool',
      content: 'import tiktoken',
      requirements: ['requests', 'tiktoken'],
    })
  })

  it('can be stopped, which is told, and tried again', async () => {
    let status = 'installing'
    const { onInstalled } = show({
      'GET /api/v1/plugins/environments/e1': () =>
        environment({
          status,
          detail: status === 'failed' ? 'The installation was stopped.' : null,
        }),
      'DELETE /api/v1/plugins/environments/e1': (_call: SeenCall) => {
        status = 'failed'
        return true
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Stop installation' }))
    expect(
      await screen.findByText('The installation was stopped.', {}, { timeout: 5000 }),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Stop installation' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Install tiktoken' }).ariaDisabled).not.toBe('true')
    expect(onInstalled).not.toHaveBeenCalled()
  })

  it('says why it is refused', async () => {
    show({
      'POST /api/v1/plugins/environments': refusal(503, 'Installing packages is turned off.'),
    })
    expect(await screen.findByText('Installing packages is turned off.')).toBeTruthy()
  })
})
