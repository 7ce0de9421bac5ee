import { PanelRightOpen } from 'lucide-react'
import { useContext, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BarButton } from '../markdown/bar-button.tsx'
import type { CodePiece } from '../markdown/code-cells.ts'
import { kindOf } from './artifact-kind.ts'
import { ArtifactsContext } from './artifacts-context.ts'
import { findBlock } from './collect-artifacts.ts'
import './strings.ts'

/** Button in a code block's toolbar that opens it beside the conversation. */
export function ArtifactOpener({ code, language }: CodePiece) {
  const { t } = useTranslation()
  const place = useContext(ArtifactsContext)
  const kind = kindOf(language, code)
  const block = useMemo(
    () => (kind && place ? findBlock(place.readText(), code) : null),
    [kind, place, code],
  )
  if (!place || !kind || block === null) return null
  return (
    <BarButton
      label={t('artifacts.open', { kind: t(`artifacts.kind.${kind}`) })}
      icon={<PanelRightOpen />}
      onClick={() => place.open(place.messageId, block)}
    />
  )
}
