import CVirtualTime

/// The numbers of the actors to which the tasks of one run go, from 1, in the order of their first
/// calls.
///
/// An actor that has ended keeps its memory until the run is over. Else another one might get its
/// address and seem to be the same, in some runs and not in others.
final class ActorNumbers {
  private var numbers: [UInt: Int] = [:]

  deinit { for actor in numbers.keys { cvt_give_memory_back(actor) } }

  /// - Parameter actor: The address of an actor, or 0; its number is 0.
  func number(of actor: UInt) -> Int {
    guard actor != 0 else { return 0 }
    if let number = numbers[actor] { return number }
    cvt_keep_memory(actor)
    numbers[actor] = numbers.count + 1
    return numbers.count
  }
}
