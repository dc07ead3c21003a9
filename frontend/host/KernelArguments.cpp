//===- KernelArguments.cpp - What a launch of OpenCL gives its kernel -----===//
//
// A launch has the arguments that its kernel object was given last. It becomes
// a member of K if each of them is the value that a variable still holds, which
// has its name where the launch stands. Of local memory it is the size.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/Walker.h"

#include "frontend/api/OpenClCalls.h"
#include "frontend/host/Expressions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

/// Returns the name of a number's type in words that mean the same everywhere,
/// without aliases.
std::string numberType(const ASTContext &ast, QualType type) {
  QualType number = type.getCanonicalType();
  if (const auto *enumeration = number->getAs<EnumType>())
    number = enumeration->getDecl()->getIntegerType().getCanonicalType();
  return number.getUnqualifiedType().getAsString(
      PrintingPolicy(ast.getLangOpts()));
}

} // namespace

/// Returns argument `index`, given with the launch or set before and unchanged
/// since, or why it isn't known.
std::variant<HostWalker::PassedArgument, std::string>
HostWalker::passedArgument(const EnqueueCall &call, ObjectId object,
                           unsigned index) {
  if (call.arguments) {
    if (index >= call.arguments->size())
      return "isn't given";
    const Expr &given = *(*call.arguments)[index];
    const Expr *bytes = localBytes(given);
    if (bytes && isPure(*bytes, Model.files))
      return PassedArgument{bytes, Model.ast.getSizeType(),
                            Reader.integer(*bytes), true};
    if (!isPure(given, Model.files))
      return "does more than to name a value";
    HostData held = Model.unknown();
    if (isBuffer(given.getType()))
      held = Reader.handle(given);
    else if (given.getType()->isIntegralOrEnumerationType())
      held = Reader.wrapped(Reader.integer(given), call.types[index]);
    return PassedArgument{&given, call.types[index], std::move(held)};
  }
  const Polynomial value =
      Env.readInteger({Model.argumentsOf(object), argumentPath(index)},
                      "argument", Model.ast.UnsignedIntTy);
  const auto symbol = value.asSymbol();
  const auto known = symbol ? Arguments.find(*symbol) : Arguments.end();
  if (known == Arguments.end())
    return "isn't known to be the value of a variable";
  const Expr &variable = *known->second.variable;
  if (known->second.isLocal) {
    const Polynomial bytes = Reader.integer(variable);
    if (HostData(bytes) != known->second.held)
      return "has a size that changed after it was set";
    if (!bytes.asConstant() && !isNamedIn(variable, *WholeLaunch))
      return "has a size that has no name here";
    return PassedArgument{&variable, Model.ast.getSizeType(), bytes, true};
  }
  if (!isNamedIn(variable, *WholeLaunch) ||
      llvm::StringRef(Reader.text(variable)).contains("__"))
    return "was set from a variable that has no name here";
  if (variableData(variable) != known->second.held)
    return "was set before its variable changed";
  return PassedArgument{&variable, variable.getType(), known->second.held};
}

/// Returns the argument for a pointer to local memory, and adds its bytes to
/// those of the launch.
LaunchArgument HostWalker::localArgument(const PassedArgument &passed,
                                         Launch &made) {
  LaunchArgument bound;
  bound.isLocal = true;
  bound.type = "size_t";
  const Polynomial bytes = Reader.exact(*passed.expression);
  // A known number needs no name.
  if (const auto constant = bytes.asConstant())
    bound.expression.text = std::to_string(*constant);
  else
    bound.expression = Reader.describe(*passed.expression);
  const auto sum = add(made.sharedBytes.value, bytes);
  made.sharedBytes.value = sum ? *sum : Model.unknown();
  return bound;
}

std::string HostWalker::bindArguments(const EnqueueCall &call, ObjectId object,
                                      const FunctionDecl &definition,
                                      Launch &made) {
  std::vector<HostData> data;
  for (unsigned i = 0; i < definition.getNumParams(); ++i) {
    const ParmVarDecl &parameter = *definition.getParamDecl(i);
    const std::string which = "argument '" + parameter.getNameAsString() + "' ";
    auto found = passedArgument(call, object, i);
    if (const auto *why = std::get_if<std::string>(&found))
      return which + *why;
    const auto &passed = std::get<PassedArgument>(found);
    const QualType own = passed.type, its = parameter.getType();
    const bool isLocal =
        its->isPointerType() &&
        its->getPointeeType().getAddressSpace() == LangAS::opencl_local;
    if (isLocal != passed.isLocal)
      return which + "is of another type than the kernel's parameter";
    if (isLocal) {
      made.arguments.push_back(localArgument(passed, made));
      data.push_back(Model.unknown());
      continue;
    }
    const bool isPointer = its->isPointerType();
    const auto bytesOf = [](const ASTContext &ast, QualType type) {
      return ast.getTypeSizeInChars(type).getQuantity();
    };
    const bool isOfKind =
        isPointer
            ? isBuffer(own)
            : own->isArithmeticType() && its->isArithmeticType() &&
                  own->isFloatingType() == its->isFloatingType() &&
                  bytesOf(Model.ast, own) == bytesOf(Unit.kernels.ast, its);
    if (!isOfKind)
      return which + "is of another type than the kernel's parameter";
    LaunchArgument bound;
    bound.expression = Reader.describe(*passed.expression);
    bound.isPointer = isPointer;
    bound.type = !isPointer       ? numberType(Model.ast, own)
                 : call.byClasses ? "cl::Buffer"
                                  : "cl_mem";
    made.arguments.push_back(std::move(bound));
    data.push_back(passed.held);
    // A signed number is another one to a parameter without a sign.
    if (auto *number = std::get_if<Polynomial>(&data.back());
        number && own->isIntegerType()) {
      *number = Reader.exact(*number, own);
      const auto constant = number->asConstant();
      const bool isSame =
          own->isUnsignedIntegerType() == its->isUnsignedIntegerType();
      if ((!isSame && !(constant && *constant >= 0)) ||
          (constant && *constant > INT32_MAX))
        *number = Model.unknown();
    }
  }
  const Kernel &kernel = Model.program[made.kernel];
  for (const ScalarParameter &scalar : kernel.scalars) {
    const auto *number = std::get_if<Polynomial>(&data[scalar.parameter]);
    made.scalars.push_back(number ? *number : Model.unknown());
  }
  // A copy: binding adds arrays.
  const std::vector<PointerParameter> pointers = kernel.pointers;
  for (const PointerParameter &pointer : pointers) {
    if (pointer.global) {
      made.pointers.push_back({*pointer.global, Polynomial{}});
      continue;
    }
    const auto *bound = std::get_if<HostPointer>(&data[pointer.parameter]);
    made.pointers.push_back(bindPointer(
        bound
            ? *bound
            : HostPointer{Model.unknownObject(pointer.path, {}), Polynomial{}},
        pointer));
  }
  return {};
}

} // namespace kfuse
