// Written by `npm run artifacts` from intent/IntentSettler.sol.
/** Escrow and fills of intents between EVM chains, proved by Axelar. */
export const intentSettlerAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "gateway_",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "gasService_",
        "type": "address"
      },
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "string",
            "name": "axelarChain",
            "type": "string"
          },
          {
            "internalType": "address",
            "name": "settler",
            "type": "address"
          },
          {
            "internalType": "uint32",
            "name": "proofWindowSeconds",
            "type": "uint32"
          }
        ],
        "internalType": "struct Remote[]",
        "name": "remotes_",
        "type": "tuple[]"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "FailedCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "fillDeadline",
        "type": "uint32"
      }
    ],
    "name": "FillDeadlinePassed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "received",
        "type": "uint256"
      }
    ],
    "name": "InexactTransfer",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "InsufficientBalance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "left",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "InsufficientGas",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidAddress",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidAddressString",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "party",
        "type": "address"
      }
    ],
    "name": "InvalidParty",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      }
    ],
    "name": "InvalidRecipient",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      }
    ],
    "name": "InvalidRemote",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NotApprovedByGateway",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "depositor",
        "type": "address"
      }
    ],
    "name": "NotDepositor",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "filler",
        "type": "address"
      }
    ],
    "name": "NotFiller",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "solver",
        "type": "address"
      }
    ],
    "name": "NotSolver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "NothingToWithdraw",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "openDeadline",
        "type": "uint32"
      }
    ],
    "name": "OpenDeadlinePassed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "PaymentRefused",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "refundAfter",
        "type": "uint32"
      }
    ],
    "name": "RefundTooEarly",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "axelarChain",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "sourceAddress",
        "type": "string"
      }
    ],
    "name": "UntrustedSource",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "size",
        "type": "uint256"
      }
    ],
    "name": "WrongBatchSize",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "openDeadline",
        "type": "uint32"
      },
      {
        "internalType": "uint32",
        "name": "fillDeadline",
        "type": "uint32"
      },
      {
        "internalType": "uint32",
        "name": "refundAfter",
        "type": "uint32"
      }
    ],
    "name": "WrongDeadlines",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "settler",
        "type": "address"
      }
    ],
    "name": "WrongDestination",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "given",
        "type": "uint32"
      },
      {
        "internalType": "uint32",
        "name": "expected",
        "type": "uint32"
      }
    ],
    "name": "WrongFillDeadline",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "given",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "expected",
        "type": "bytes32"
      }
    ],
    "name": "WrongOrderId",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderDataType",
        "type": "bytes32"
      }
    ],
    "name": "WrongOrderType",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "settler",
        "type": "address"
      }
    ],
    "name": "WrongOrigin",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "internalType": "enum OrderStatus",
        "name": "status",
        "type": "uint8"
      }
    ],
    "name": "WrongStatus",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "given",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      }
    ],
    "name": "WrongValue",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "solver",
        "type": "address"
      }
    ],
    "name": "Declined",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "filler",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Filled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "components": [
          {
            "internalType": "address",
            "name": "user",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderId",
            "type": "bytes32"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "maxSpent",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "minReceived",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "destinationChainId",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "destinationSettler",
                "type": "bytes32"
              },
              {
                "internalType": "bytes",
                "name": "originData",
                "type": "bytes"
              }
            ],
            "internalType": "struct FillInstruction[]",
            "name": "fillInstructions",
            "type": "tuple[]"
          }
        ],
        "indexed": false,
        "internalType": "struct ResolvedCrossChainOrder",
        "name": "resolvedOrder",
        "type": "tuple"
      }
    ],
    "name": "Open",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "sourceChainId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "enum OrderStatus",
        "name": "status",
        "type": "uint8"
      }
    ],
    "name": "ProofIgnored",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "originChainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "prover",
        "type": "address"
      }
    ],
    "name": "Proved",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "depositor",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "RefundCredited",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "depositor",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Refunded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "solver",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "ReleaseCredited",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "solver",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Released",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Withdrawn",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "MAXIMUM_BATCH_SIZE",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MAXIMUM_ESCROW_SECONDS",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "creditOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "depositor",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "originSettler",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "destinationChainId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "destinationSettler",
            "type": "address"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "inputToken",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "outputToken",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "recipient",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "solver",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "filler",
            "type": "address"
          }
        ],
        "internalType": "struct IntentOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "decline",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "commandId",
        "type": "bytes32"
      },
      {
        "internalType": "string",
        "name": "sourceChain",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "sourceAddress",
        "type": "string"
      },
      {
        "internalType": "bytes",
        "name": "payload",
        "type": "bytes"
      }
    ],
    "name": "execute",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "internalType": "bytes",
        "name": "originData",
        "type": "bytes"
      },
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "name": "fill",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "gasService",
    "outputs": [
      {
        "internalType": "contract IAxelarGasService",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "gateway",
    "outputs": [
      {
        "internalType": "contract IAxelarGateway",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderDataType",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "orderData",
            "type": "bytes"
          }
        ],
        "internalType": "struct OnchainCrossChainOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "open",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "depositor",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "originSettler",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "destinationChainId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "destinationSettler",
            "type": "address"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "inputToken",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "outputToken",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "recipient",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "solver",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "filler",
            "type": "address"
          }
        ],
        "internalType": "struct IntentOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "orderIdOf",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "depositor",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "originSettler",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "destinationChainId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "destinationSettler",
            "type": "address"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "inputToken",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "outputToken",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "recipient",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "solver",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "filler",
            "type": "address"
          }
        ],
        "internalType": "struct IntentOrder[]",
        "name": "orders",
        "type": "tuple[]"
      }
    ],
    "name": "prove",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "depositor",
            "type": "address"
          },
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "originSettler",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "destinationChainId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "destinationSettler",
            "type": "address"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "address",
            "name": "inputToken",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "outputToken",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "recipient",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "solver",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "filler",
            "type": "address"
          }
        ],
        "internalType": "struct IntentOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "refund",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      }
    ],
    "name": "remoteOf",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "chainId",
            "type": "uint256"
          },
          {
            "internalType": "string",
            "name": "axelarChain",
            "type": "string"
          },
          {
            "internalType": "address",
            "name": "settler",
            "type": "address"
          },
          {
            "internalType": "uint32",
            "name": "proofWindowSeconds",
            "type": "uint32"
          }
        ],
        "internalType": "struct Remote",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderDataType",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "orderData",
            "type": "bytes"
          }
        ],
        "internalType": "struct OnchainCrossChainOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "resolve",
    "outputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "user",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderId",
            "type": "bytes32"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "maxSpent",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "minReceived",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "destinationChainId",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "destinationSettler",
                "type": "bytes32"
              },
              {
                "internalType": "bytes",
                "name": "originData",
                "type": "bytes"
              }
            ],
            "internalType": "struct FillInstruction[]",
            "name": "fillInstructions",
            "type": "tuple[]"
          }
        ],
        "internalType": "struct ResolvedCrossChainOrder",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      }
    ],
    "name": "statusOf",
    "outputs": [
      {
        "internalType": "enum OrderStatus",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "withdraw",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      }
    ],
    "name": "withdrawTo",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const
