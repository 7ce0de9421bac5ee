import { useEffect, useRef } from 'react'

const BARS = 48
const EVERY_MILLISECONDS = 60
/** Amplification of the display, as speech is much quieter than full scale. */
const GAIN = 5

interface WaveformProps {
  readonly level: () => number
  readonly className?: string
}

/** Loudness of the last moments; visual only. */
export function Waveform({ level, className }: WaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const levels: number[] = Array.from({ length: BARS }, () => 0)
    const draw = (): void => {
      levels.shift()
      levels.push(Math.min(1, level() * GAIN))
      const element = canvas.current
      const context = element?.getContext('2d')
      if (!element || !context) return
      const { width, height } = element
      context.clearRect(0, 0, width, height)
      context.fillStyle = getComputedStyle(element).color
      const step = width / BARS
      for (const [index, each] of levels.entries()) {
        const tall = Math.max(2, each * height)
        context.fillRect(index * step, (height - tall) / 2, step * 0.6, tall)
      }
    }
    const timer = setInterval(draw, EVERY_MILLISECONDS)
    return () => clearInterval(timer)
  }, [level])
  return <canvas ref={canvas} width={240} height={32} aria-hidden="true" className={className} />
}
