import {
  ChevronLeft,
  ChevronRight,
  Code,
  Download,
  Eye,
  Globe,
  GitCompareArrows,
  Pencil,
  RotateCcw,
  Square,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { downloadText, toFileName } from '../../lib/download.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { announce } from '../layout/live-region.tsx'
import { runsInFrame } from './artifact-content.tsx'
import { endingOf } from './artifact-kind.ts'
import type { NetworkControl } from './use-network.ts'
import type { RunControl } from './use-run.ts'
import type { ShownArtifact } from './use-artifact.ts'

/** Display mode of a version. */
export type ArtifactLook = 'view' | 'source' | 'compare' | 'edit' | 'network'

interface BarProps {
  readonly shown: ShownArtifact
  readonly look: ArtifactLook
  readonly control: RunControl
  readonly mayEdit: boolean
  /** Null if network access cannot be granted. */
  readonly network: NetworkControl | null
  readonly onLook: (look: ArtifactLook) => void
}

const PRESSED = 'bg-pressed text-ink'

function Versions({ shown }: { shown: ShownArtifact }) {
  const { t } = useTranslation()
  const { artifact, index, step } = shown
  const count = artifact.versions.length
  const nameOf = (place: number): string =>
    t(artifact.versions[place]?.isEdit ? 'artifacts.version.edited' : 'artifacts.version.plain', {
      number: place + 1,
      count,
    })
  const go = (place: number): void => {
    step(place)
    announce(nameOf(place))
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- buttons above a page, outside of any form
      role="group"
      aria-label={t('artifacts.versions')}
      className="flex items-center"
    >
      <IconButton
        label={t('artifacts.version.previous')}
        icon={<ChevronLeft className="rtl:rotate-180" />}
        disabled={index === 0}
        onClick={() => go(index - 1)}
      />
      <span className="min-w-8 text-center text-small text-muted tabular-nums">
        <span aria-hidden="true">{t('artifacts.version.short', { number: index + 1, count })}</span>
        <span className="sr-only">{nameOf(index)}</span>
      </span>
      <IconButton
        label={t('artifacts.version.next')}
        icon={<ChevronRight className="rtl:rotate-180" />}
        disabled={index === count - 1}
        onClick={() => go(index + 1)}
      />
    </div>
  )
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  svg: 'image/svg+xml',
  markdown: 'text/markdown',
}

function SaveButton({ shown: { artifact, version } }: { shown: ShownArtifact }) {
  const { t } = useTranslation()
  const { kind, language, name } = artifact
  const save = (): void => {
    const ending = endingOf(kind, language)
    const title = (name ?? t(`artifacts.kind.${kind}`)).replace(
      new RegExp(`\\.${ending}$`, 'i'),
      '',
    )
    downloadText(toFileName(title, ending), version.source, TYPES[kind] ?? 'text/plain')
  }
  return <IconButton label={t('artifacts.download')} icon={<Download />} onClick={save} />
}

/** Shows by its colour and its label whether the page has network access. */
function NetworkButton({
  count,
  isPressed,
  onPress,
}: {
  count: number
  isPressed: boolean
  onPress: () => void
}) {
  const { t } = useTranslation()
  return (
    <IconButton
      label={
        count === 0 ? t('artifacts.network.open') : t('artifacts.network.openAllowed', { count })
      }
      icon={<Globe />}
      aria-pressed={isPressed}
      className={classNames(
        isPressed && PRESSED,
        count > 0 && !isPressed && 'text-accent-strong dark:text-accent',
      )}
      onClick={onPress}
    />
  )
}

/** Actions on a version. */
export function ArtifactBar({ shown, look, control, mayEdit, network, onLook }: BarProps) {
  const { t } = useTranslation()
  const { artifact, version, index } = shown
  const runs = runsInFrame(artifact.kind)
  const looks = [
    ['view', 'artifacts.view', <Eye key="view" />],
    ['source', 'artifacts.source', <Code key="source" />],
  ] as const
  return (
    <div className="flex flex-wrap items-center gap-0.5 border-b border-line px-2 pb-1.5">
      {artifact.kind !== 'code' && (
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- buttons above a page, outside of any form
          role="group"
          aria-label={t('artifacts.views')}
          className="flex items-center"
        >
          {looks.map(([name, label, icon]) => (
            <IconButton
              key={name}
              label={t(label)}
              icon={icon}
              aria-pressed={look === name}
              className={classNames(look === name && PRESSED)}
              onClick={() => onLook(name)}
            />
          ))}
        </div>
      )}
      <Versions shown={shown} />
      <span className="flex-1" />
      {index > 0 && (
        <IconButton
          label={t('artifacts.compare.show')}
          icon={<GitCompareArrows />}
          aria-pressed={look === 'compare'}
          className={classNames(look === 'compare' && PRESSED)}
          onClick={() => onLook(look === 'compare' ? 'view' : 'compare')}
        />
      )}
      {mayEdit && version.isClosed && (
        <IconButton
          label={t('artifacts.edit.open')}
          icon={<Pencil />}
          aria-pressed={look === 'edit'}
          className={classNames(look === 'edit' && PRESSED)}
          onClick={() => onLook(look === 'edit' ? 'view' : 'edit')}
        />
      )}
      {runs && network && (
        <NetworkButton
          count={network.origins.length}
          isPressed={look === 'network'}
          onPress={() => onLook(look === 'network' ? 'view' : 'network')}
        />
      )}
      <span className="inline-flex size-8 items-center justify-center pointer-coarse:size-11">
        <CopyButton isSmall text={version.source} label={t('artifacts.copy')} />
      </span>
      <SaveButton shown={shown} />
      {runs && look === 'view' && control.run.end === null && (
        <>
          <IconButton label={t('artifacts.reload')} icon={<RotateCcw />} onClick={control.again} />
          <IconButton
            label={t('artifacts.stop')}
            icon={<Square className="size-3.5!" />}
            onClick={control.stop}
          />
        </>
      )}
    </div>
  )
}
