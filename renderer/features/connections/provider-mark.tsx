import { Cpu, Plug } from 'lucide-react'
import { CONNECTION_KINDS, type ConnectionKind } from '#contract/connection-kinds.ts'
import { RowMark } from '../../ui/lists/list-row.tsx'
import { presetOf, type ProviderPreset } from './presets.ts'

/** Logo of a provider: its letters on its colour. Its name is shown beside it. */
export function PresetMark({ preset }: { preset: ProviderPreset }) {
  return (
    <svg
      viewBox="0 0 32 32"
      aria-hidden="true"
      data-exempt
      className="size-9 shrink-0 forced-color-adjust-none"
    >
      <rect width="32" height="32" rx="8" fill={preset.colour} />
      <text
        x="16"
        y="21"
        textAnchor="middle"
        fill="#ffffff"
        fontSize="14"
        fontWeight="600"
        fontFamily="inherit"
      >
        {preset.letters}
      </text>
    </svg>
  )
}

/** Icon of a connection: the logo of its provider or runtime, otherwise one for its kind. */
export function ConnectionMark({ url, kind }: { url: string; kind: ConnectionKind }) {
  const preset = presetOf(url)
  if (preset) return <PresetMark preset={preset} />
  return <RowMark>{CONNECTION_KINDS[kind].isRuntime ? <Cpu /> : <Plug />}</RowMark>
}
