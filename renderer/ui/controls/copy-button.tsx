import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText, whyNotCopied } from '../../lib/clipboard.ts'
import { Button, type ButtonTone } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { announce } from '../layout/live-region.tsx'
import { toast } from '../floating/toast.tsx'

const SHOWN_FOR = 2_000

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  /** Icon only, for the corner of a box. */
  readonly isSmall?: boolean
  readonly tone?: ButtonTone
}

/** Copies a text and confirms it in the button itself. */
export function CopyButton({ text, label, isSmall = false, tone = 'secondary' }: CopyButtonProps) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [copied])
  const handleClick = (): void => {
    void copyText(text).then(
      () => {
        setCopied(true)
        announce(t('common.copied'))
      },
      () => toast({ tone: 'danger', text: whyNotCopied() }),
    )
  }
  if (isSmall) {
    return (
      <IconButton
        size="small"
        label={copied ? t('common.copied') : (label ?? t('common.copy'))}
        icon={copied ? <Check className="text-accent" /> : <Copy />}
        onClick={handleClick}
      />
    )
  }
  return (
    <Button
      tone={tone}
      onClick={handleClick}
      icon={
        copied ? (
          <Check className={tone === 'primary' ? 'size-4' : 'size-4 text-accent'} />
        ) : (
          <Copy className="size-4" />
        )
      }
    >
      {copied ? t('common.copied') : (label ?? t('common.copy'))}
    </Button>
  )
}
