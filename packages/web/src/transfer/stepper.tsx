import type { TransferStep } from '@openrfq/react'

const CHECK = 'M2.5 6.5l2.4 2.4L9.5 4'
const CROSS = 'M3 3l6 6M9 3l-6 6'

const STANDING_WORDS: Readonly<Record<TransferStep['standing'], string>> = {
  done: 'done',
  current: 'now',
  upcoming: 'later',
  failed: 'failed',
}

const timeText = (iso: string): string =>
  new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** A moment as the clock shows it here, with its date on request. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={new Date(at).toLocaleString()}>
    {timeText(at)}
  </time>
)

/** The way of a transfer, step by step. */
export const Stepper = ({ steps }: { readonly steps: readonly TransferStep[] }) => (
  <section className="card" aria-labelledby="progress">
    <h2 id="progress">Progress</h2>
    <ol className="steps">
      {steps.map(({ id, title, text, at, standing, passed }) => (
        <li key={id} className={standing} aria-current={standing === 'current' ? 'step' : undefined}>
          <span className="dot" aria-hidden="true">
            {standing === 'done' || standing === 'failed' ? (
              <svg
                aria-hidden="true"
                width="12"
                height="12"
                viewBox="0 0 12 12"
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
                strokeLinecap="round"
                strokeLinejoin="round"
              >
                <path d={standing === 'done' ? CHECK : CROSS} />
              </svg>
            ) : null}
          </span>
          <span className="title">
            {title}
            <span className="hidden"> ({STANDING_WORDS[standing]})</span>
          </span>
          {at === undefined ? <span /> : <Moment at={at} />}
          {passed === undefined ? null : (
            <ul className="passed">
              {passed.map((one) => (
                <li key={one.text}>
                  {one.text} <Moment at={one.at} />
                </li>
              ))}
            </ul>
          )}
          {text === undefined ? null : <span className="text">{text}</span>}
        </li>
      ))}
    </ol>
  </section>
)
