"""A transfer over HTTP alone, in a sandbox: quote, check, send, follow. It needs nothing but Python 3.9."""

import json
import time
import urllib.request
from urllib.error import HTTPError

BASE = "http://127.0.0.1:8080"
USDC = "0x4428E636F520f7cfbE340517A3d0240b10d0787b"
AXL_USDC = "0x7F53Df5eBd7a961eC934DBB5D678D996297278a0"
ENDED = ("DONE", "REFUND_INITIATED", "REFUNDED", "FAILED")


def ask(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise SystemExit(f"{url}: {json.load(error)['error']}") from error


sandbox = ask(f"{BASE}/sandbox")
chain, (me, friend) = sandbox["chains"][0], sandbox["accounts"][:2]


def rpc(method, *params):
    answer = ask(chain["rpcUrl"], {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    if "error" in answer:
        raise SystemExit(f"{method}: {answer['error']}")
    return answer["result"]


wanted = {
    "fromChain": chain["chainId"],
    "fromToken": USDC,
    "toChain": "eip155:31338",
    "toToken": AXL_USDC,
    "amount": "25000000",
    "orderType": "EXACT_INPUT",
    "sender": me["address"],
    "recipient": friend["address"],
}
quotes = ask(f"{BASE}/v1/rfq/quote", wanted)["quotes"]
if not quotes:
    raise SystemExit("nothing prices this pair now")
quote = quotes[0]
if (quote["input"]["token"], quote["output"]["token"]) != (USDC, AXL_USDC):
    raise SystemExit("the quote is for other tokens")
if int(quote["output"]["minimumAmount"]) < 23_000_000:
    raise SystemExit("the quote guarantees too little")

for action in quote["actions"]:
    payload = action["payload"]
    if payload["from"].lower() != me["address"].lower():
        raise SystemExit("the quote was made for another account")
    call = {key: payload[key] for key in ("from", "to", "data")}
    call["value"] = hex(int(payload["value"]))
    rpc("eth_call", call, "latest")  # Raises when it would fail.
    # The sandbox's node signs for its accounts. Elsewhere sign with your own key, for instance with eth-account.
    sent = rpc("eth_sendTransaction", call)
    while (receipt := rpc("eth_getTransactionReceipt", sent)) is None:
        time.sleep(0.5)
    if receipt["status"] != "0x1":
        raise SystemExit(f"{action['id']} reverted in {sent}")
    print(action["id"], sent)

deadline = time.monotonic() + 300
while time.monotonic() < deadline:
    status = ask(f"{BASE}/v1/rfq/status?quoteId={quote['quoteId']}")
    if status["state"] in ENDED:
        break
    time.sleep(1)
print(status["state"], (status["output"] or {}).get("amount"))
