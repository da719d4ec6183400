// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title A contract account that does what it is told, and behaves badly when it is paid native value, if told so.
/// @dev For tests only.
contract Puppet {
    enum Mood {
        Accepting,
        Refusing,
        Burning,
        Calling
    }

    Mood private _mood;
    address private _target;
    bytes private _callData;

    /// @notice What came of the call made while being paid.
    bytes public answer;
    bool public isAnswered;

    receive() external payable {
        if (_mood == Mood.Refusing) revert("Puppet: refused");
        if (_mood == Mood.Burning) while (true) {}
        if (_mood == Mood.Calling) {
            (bool success, bytes memory data) = _target.call(_callData);
            isAnswered = true;
            answer = data;
            if (!success) revert("Puppet: my call failed");
        }
    }

    function setMood(Mood mood) external {
        _mood = mood;
    }

    function setCall(address target, bytes calldata callData) external {
        _target = target;
        _callData = callData;
    }

    function act(address target, bytes calldata callData) external payable {
        (bool success, bytes memory data) = target.call{value: msg.value}(callData);
        if (success) return;
        assembly {
            revert(add(data, 32), mload(data))
        }
    }
}
