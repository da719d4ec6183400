import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transferScenes } from 'openrfq/test/transfer-scenes.ts'
import { statusSentence } from './status-sentence.ts'

const SCENES = transferScenes(1_800_000_000_000)

const sentenceOf = (name: string): string => {
  const scene = SCENES[name]
  assert.ok(scene)
  return statusSentence(scene.status)
}

test('says Done only for a delivery that is final', () => {
  assert.match(sentenceOf('done'), /^Done\./)
  assert.match(sentenceOf('arrived'), /^Arrived\. .* final\.$/)
  assert.match(sentenceOf('taken_back'), /^The chain took the delivery back\./)
  const others = Object.keys(SCENES).filter((name) => name !== 'done')
  for (const name of others) assert.doesNotMatch(sentenceOf(name), /^Done/, name)
})
