//===- clang-plugin/units/Leaving.cpp - A unit read while it is compiled -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Leaving.h"
#include "Identity.h"
#include "LeftUnits.h"
#include "Threads.h"
#include "clang-plugin/lower/Located.h"
#include "clang-plugin/lower/SourceLoops.h"
#include "clang-plugin/walk/Extract.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using llvm::StringRef;

namespace busfare::frontend {

//===--- What is compiled, and how ----------------------------------------===//

/// One file becomes an object, or what is on the way to one.
static bool makesObject(const clang::CompilerInstance &compiler) {
  const clang::FrontendOptions &frontend = compiler.getFrontendOpts();
  const bool makesCode =
      frontend.ProgramAction == clang::frontend::EmitObj || frontend.ProgramAction == clang::frontend::EmitAssembly ||
      frontend.ProgramAction == clang::frontend::EmitBC || frontend.ProgramAction == clang::frontend::EmitLLVM;
  return makesCode && frontend.Inputs.size() == 1 && frontend.Inputs.front().isFile() && frontend.OutputFile != "-";
}

std::string whyNotLeft(const clang::CompilerInstance &compiler) {
  const clang::LangOptions &language = compiler.getLangOpts();
  const clang::PreprocessorOptions &preprocessor = compiler.getPreprocessorOpts();
  if (!makesObject(compiler)) return "";
  const std::string file = compiler.getFrontendOpts().Inputs.front().getFile().str();
  if (language.OpenMPIsTargetDevice || language.CUDAIsDevice)
    return "nothing is left of the part of " + file + " for a device: the host's program is what is read";
  if (language.CUDA || language.OpenCL || language.ObjC)
    return "nothing is left of " + file + ": it is neither C nor C++";
  if (!language.Modules && preprocessor.ImplicitPCHInclude.empty()) return "";
  return "nothing is left of " + file + ": it is compiled with " +
         (language.Modules ? "modules" : "a precompiled header") + "; `busfare project -p BUILD` reads its source";
}

bool isForLeaving(const clang::CompilerInstance &compiler) {
  return makesObject(compiler) && whyNotLeft(compiler).empty();
}

/// The words of a process; none if there is no such file.
static std::vector<std::string> wordsOf(const std::string &process) {
  std::vector<std::string> words;
  auto buffer = llvm::MemoryBuffer::getFileAsStream("/proc/" + process + "/cmdline");
  llvm::SmallVector<StringRef> parts;
  if (buffer) (*buffer)->getBuffer().drop_back((*buffer)->getBuffer().ends_with(StringRef("\0", 1))).split(parts, '\0');
  for (StringRef part : parts) words.push_back(part.str());
  return words;
}

/// The driver compiles in its own process, or has started one that is told all by `-cc1`.
static std::vector<std::string> driversWords() {
  std::vector<std::string> words = wordsOf("self");
  return words.size() > 1 && words[1] == "-cc1" ? wordsOf(std::to_string(getppid())) : words;
}

static LeftUnit unitOf(const clang::CompilerInstance &compiler) {
  LeftUnit unit;
  unit.file = compiler.getFrontendOpts().Inputs.front().getFile().str();
  unit.output = compiler.getFrontendOpts().OutputFile;
  llvm::SmallString<256> folder;
  (void)llvm::sys::fs::current_path(folder);
  unit.directory = folder.str().str();
  unit.words = driversWords();
  unit.plugin = buildIdAt(reinterpret_cast<const void *>(&isForLeaving));
  auto output = llvm::find(unit.words, "-o");
  if (llvm::is_contained(unit.words, "-c") || llvm::is_contained(unit.words, "-S")) {
    if (output != unit.words.end() && output + 1 != unit.words.end())
      unit.output = output[1]; // with parts for a device, or -save-temps, this process writes what comes before it
    return unit;
  }
  // Compiled and linked in one: the object is a temporary file.
  const std::string program = output != unit.words.end() && output + 1 != unit.words.end() ? output[1] : "a.out";
  unit.output = program + "-" + llvm::sys::path::filename(unit.file).str();
  return unit;
}

//===--- In the copy ------------------------------------------------------===//

static void writeAll(int to, StringRef text) {
  while (!text.empty()) {
    ssize_t count = write(to, text.data(), text.size());
    if (count <= 0) return;
    text = text.drop_front(size_t(count));
  }
}

/// What is handed over goes to `to`; nobody has handed anything over: exit code 1.
[[noreturn]] static void readInCopy(clang::ASTConsumer &reader, clang::ASTContext &context, const std::string &handed,
                                    int to) {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT})
    std::signal(signal, SIG_DFL); // the compiler's handlers would write a reproducer
  // Who has the time is the process that waits.
  const bool isRead = runApart(1e9, [&] { reader.HandleTranslationUnit(context); }) == Ending::Done;
  writeAll(to, handed);
  _exit(isRead && !handed.empty() ? 0 : 1);
}

//===--- In the compiler --------------------------------------------------===//

namespace {

class LeavingConsumer : public clang::ASTConsumer {
public:
  LeavingConsumer(clang::CompilerInstance &compiler, const LeaveOptions &options, Reading reading)
      : compiler(compiler), options(options), reading(reading), unit(unitOf(compiler)),
        asked(std::make_shared<FileAnswers>()) {
    clang::FileManager &files = compiler.getFileManager();
    files.setVirtualFileSystem(loggedFiles(files.getVirtualFileSystemPtr(), asked));
    // What has been asked by now: the unit itself, and which of the folders for headers are there.
    (void)files.getVirtualFileSystem().getBufferForFile(unit.file);
    for (const auto &entry : compiler.getHeaderSearchOpts().UserEntries)
      (void)files.getVirtualFileSystem().status(entry.Path);
    OtherUnits others;
    others.tag = tagOfLeftUnits;
    reader = unitConsumer(compiler, others, [this](clang::ASTContext &context, ExtractResult read) {
      handed = textOf(std::move(read), sourceLoops(context), *asked);
      stopHere();
    });
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override { return reader->HandleTopLevelDecl(group); }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (compiler.getDiagnostics().hasErrorOccurred()) return;
    std::string text;
    if (!(reading == Reading::ByCopy ? readInCopyOf(context, text) : readInPlace(context, text))) return;
    UnitAnswer answer{std::move(text), ""};
    std::optional<FileAnswers> files = takeFiles(answer);
    if (!files) return;
    unit.asked = std::move(*files);
    unit.text = std::move(answer.text);
    clang::SourceManager &sources = context.getSourceManager();
    const skeleton::Location begin = locationOf(sources.getLocForStartOfFile(sources.getMainFileID()), sources);
    unit.isPreprocessed = compiler.getFrontendOpts().Inputs.front().getKind().isPreprocessed();
    if (!begin.file.empty() && unit.isPreprocessed) unit.file = begin.file.str();
    unit.lacksOpenMP = !context.getLangOpts().OpenMP && !llvm::is_contained(unit.words, "-fno-openmp") &&
                       sources.getBufferData(sources.getMainFileID()).contains("pragma omp");
    if (options.embeds) embed(context);
    else leave();
  }

private:
  clang::CompilerInstance &compiler;
  LeaveOptions options;
  Reading reading;
  LeftUnit unit;
  std::shared_ptr<FileAnswers> asked;
  std::unique_ptr<clang::ASTConsumer> reader;
  std::string handed; ///< The unit's text, by the reader.

  void complain(const llvm::Twine &what) const {
    llvm::errs() << "busfare: nothing is left of " << unit.file << ": " << what << '\n';
  }

  void complainOf(bool isLate) const {
    complain(isLate ? "reading it took more than " + llvm::Twine(int(options.seconds)) + " s"
                    : llvm::Twine("reading it ended by a fault of busfare"));
  }

  /// False: there is no text.
  bool readInPlace(clang::ASTContext &context, std::string &text) {
    const Ending ending = runApart(options.seconds, [&] { reader->HandleTranslationUnit(context); });
    // Its thread may stand in the reader, and in the AST, which the compiler then leaves alone.
    (void)reader.release();
    compiler.getFrontendOpts().DisableFree = true;
    if (ending == Ending::Done && !handed.empty()) {
      text = std::move(handed);
      return true;
    }
    new (&handed) std::string; // the thread may stand in that, too
    complainOf(ending == Ending::Late);
    return false;
  }

  bool readInCopyOf(clang::ASTContext &context, std::string &text) {
    llvm::errs().flush();
    llvm::outs().flush();
    int pipe[2] = {-1, -1};
    if (::pipe(pipe)) {
      complain(std::strerror(errno));
      return false;
    }
    pid_t copy = fork();
    if (copy == 0) {
      close(pipe[0]);
      readInCopy(*reader, context, handed, pipe[1]);
    }
    close(pipe[1]);
    bool isLate = false;
    if (copy >= 0) text = received(copy, pipe[0], isLate);
    close(pipe[0]);
    int status = 0;
    if (copy >= 0 && waitpid(copy, &status, 0) >= 0 && !isLate && WIFEXITED(status) && !WEXITSTATUS(status))
      return true;
    if (copy < 0) complain(std::strerror(errno));
    else complainOf(isLate);
    return false;
  }

  std::string received(pid_t copy, int from, bool &isLate) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(int64_t(options.seconds * 1000));
    std::string text;
    std::vector<char> block(1 << 16);
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd waits = {from, POLLIN, 0};
      if (left <= 0 || (poll(&waits, 1, int(left)) == 0)) {
        isLate = true;
        kill(copy, SIGKILL);
        return "";
      }
      ssize_t count = read(from, block.data(), block.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(block.data(), size_t(count));
    }
  }

  void leave() const {
    const std::string file = leftFileOf(unit, options.folder);
    if (!options.folder.empty()) (void)llvm::sys::fs::create_directories(options.folder);
    llvm::SmallString<256> aside;
    int descriptor;
    if (std::error_code code = llvm::sys::fs::createUniqueFile(file + ".%%%%%%", descriptor, aside)) {
      complain(file + ": " + code.message());
      return;
    }
    llvm::raw_fd_ostream os(descriptor, true);
    os << spelled(unit);
    os.close();
    if (!os.has_error() && !llvm::sys::fs::rename(aside, file)) return;
    os.clear_error();
    (void)llvm::sys::fs::remove(aside);
    complain(file + " cannot be written");
  }

  /// As assembly, which code generation takes as if the source said it.
  void embed(clang::ASTContext &context) {
    if (!context.getTargetInfo().getTriple().isOSBinFormatELF()) {
      complain("only objects of the ELF format have a section for it");
      return;
    }
    std::string assembly = "\t.pushsection ";
    assembly += std::string(leftSection) +
                ",\"\"\n"; // its type is written in one way for ARM, in another for the rest, and is the default
    constexpr size_t perLine = 1024;
    const std::string bytes = packed(unit);
    for (size_t at = 0; at < bytes.size(); at += perLine) {
      assembly += "\t.ascii \"";
      for (unsigned char c : StringRef(bytes).substr(at, perLine)) {
        if (llvm::isAlnum(char(c))) {
          assembly += char(c);
          continue;
        }
        const char octal[] = {'\\', char('0' + c / 64), char('0' + c / 8 % 8), char('0' + c % 8)};
        assembly.append(octal, sizeof octal);
      }
      assembly += "\"\n";
    }
    assembly += "\t.popsection\n";
    clang::QualType type = context.getConstantArrayType(context.CharTy, llvm::APInt(64, assembly.size() + 1), nullptr,
                                                        clang::ArraySizeModifier::Normal, 0);
    auto *text = clang::StringLiteral::Create(context, assembly, clang::StringLiteralKind::Ordinary, false, type,
                                              clang::SourceLocation());
    clang::TranslationUnitDecl *top = context.getTranslationUnitDecl();
    clang::Decl *made =
        clang::FileScopeAsmDecl::Create(context, top, text, clang::SourceLocation(), clang::SourceLocation());
    reader = std::make_unique<clang::ASTConsumer>(); // it is not for us
    compiler.getASTConsumer().HandleTopLevelDecl(clang::DeclGroupRef(made));
  }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> leavingConsumer(clang::CompilerInstance &compiler, const LeaveOptions &options,
                                                    Reading reading) {
  return std::make_unique<LeavingConsumer>(compiler, options, reading);
}

} // namespace busfare::frontend
